import { ID_ALPHABET, randomCharacters, type RandomBytes } from '../api/ids.js';

/** Letters and digits only: clients put them into addresses unescaped. 44 of them have 256 bits. */
const SECRET_LENGTH = 44;
const USER_LENGTH = 22;
const SECRET = /^[A-Za-z0-9]{44}$/;
const CREDENTIAL = /^[A-Za-z0-9]{22}:[A-Za-z0-9]{44}$/;

export const makeSetupSecret = (random: RandomBytes): string =>
  randomCharacters(ID_ALPHABET, SECRET_LENGTH, random);

/** The user name and the password of an access URL, joined by a colon. */
export const makeCredential = (random: RandomBytes): string =>
  `${randomCharacters(ID_ALPHABET, USER_LENGTH, random)}:${randomCharacters(ID_ALPHABET, SECRET_LENGTH, random)}`;

/** Guesses of another form cost no look-up. */
export const isSetupSecret = (text: string): boolean => SECRET.test(text);
export const isCredential = (text: string): boolean => CREDENTIAL.test(text);

/** The address of the SimpleFIN server. @param baseUrl without a slash at its end */
export const simplefinServerAt = (baseUrl: string): string => `${baseUrl}/simplefin`;

/** @param server its address, in ASCII */
export const setupTokenOf = (server: string, secret: string): string =>
  btoa(`${server}/claim/${secret}`);

export const accessUrlOf = (server: string, credential: string): string =>
  server.replace('://', `://${credential}@`);
