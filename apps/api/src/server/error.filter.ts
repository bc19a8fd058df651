import { Catch, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import { Failures } from '../http/failures.js';
import { Protocols } from '../http/protocol.js';

/** Every failure becomes a response in the form of its protocol. */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  constructor(
    private readonly failures: Failures,
    private readonly protocols: Protocols,
  ) {}

  catch(thrown: unknown, host: ArgumentsHost): void {
    this.failures.respond(thrown, host, (request) => this.protocols.of(request).protocol.errors);
  }
}
