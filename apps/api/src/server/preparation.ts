import { Injectable } from '@nestjs/common';

/** The requirements of the calls: the schema, the master keys, and the keys derived from them. */
@Injectable()
export class Preparation {
  isDone = false;
}
