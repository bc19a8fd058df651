import { Injectable } from '@nestjs/common';

/** Whether the process has what its calls need: the schema, the master keys, and the keys made with them. */
@Injectable()
export class Preparation {
  isDone = false;
}
