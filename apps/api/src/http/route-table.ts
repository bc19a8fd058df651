import { Injectable, type OnModuleInit, type Type } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { Paths } from './paths.js';
import type { RouteOptions } from './route.js';
import { routesOf } from './routes-of.js';

/** All native routes of this process. */
@Injectable()
export class RouteTable extends Paths<RouteOptions> implements OnModuleInit {
  constructor(private readonly discovery: DiscoveryService) {
    super();
  }

  onModuleInit(): void {
    this.declare(
      this.discovery
        .getControllers()
        .flatMap(({ metatype }) =>
          typeof metatype === 'function' ? routesOf(metatype as Type) : [],
        ),
    );
  }
}
