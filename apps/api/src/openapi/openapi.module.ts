import { Module } from '@nestjs/common';
import { RoutesModule } from '../http/routes.module.js';
import { OpenApiController } from './openapi.controller.js';

@Module({ imports: [RoutesModule], controllers: [OpenApiController] })
export class OpenApiModule {}
