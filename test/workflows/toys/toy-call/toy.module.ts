import { Module } from '@nestjs/common';
import { ToyController } from './toy.controller.js';

@Module({ controllers: [ToyController] })
export class ToyModule {}
