import type { Queryable } from '../../db/connect.ts'
import type { HttpError } from '../../http/errors.ts'
import type { CoreServices } from '../core-services.ts'
import {
  countFailure,
  countSuccess,
  findWait,
  type LoginAttempt,
  loginRefused,
} from './login-limits.ts'

type Limits = Pick<CoreServices, 'db' | 'now' | 'loginRateLimit' | 'log'>

/** @throws HttpError 429 while the attempt has to wait: before anything is spent on the guess. */
export async function refuseWhileWaiting(limits: Limits, attempt: LoginAttempt): Promise<void> {
  const { db, now, loginRateLimit } = limits
  const wait = await findWait(db, attempt, now())
  if (wait !== undefined) throw loginRefused(wait, now(), loginRateLimit)
}

/**
 * Counts a wrong guess, outside any transaction that it would be rolled back with. Gives the error
 * to throw: `answer`, or the 429 when the attempt has to wait by now.
 */
export async function countWrongGuess(
  limits: Limits,
  attempt: LoginAttempt,
  userId: number | undefined,
  answer: HttpError,
): Promise<HttpError> {
  const { db, now, loginRateLimit, log } = limits
  const wait = await countFailure(db, attempt, now())
  const { purpose, clientIp } = attempt
  // The security log tells of it as of every refusal, within bounds.
  log.debug({ userId, clientIp }, `${purpose} ${wait === undefined ? 'failed' : 'refused'}`)
  return wait === undefined ? answer : loginRefused(wait, now(), loginRateLimit)
}

/**
 * Counts a right guess. In a transaction, so that the refusal takes back what the guess has used.
 *
 * @throws HttpError 429 when the attempt has to wait by now: nobody may learn that it was right.
 */
export async function countRightGuess(
  tx: Queryable,
  limits: Limits,
  attempt: LoginAttempt,
): Promise<void> {
  const { now, loginRateLimit } = limits
  const wait = await countSuccess(tx, attempt, now())
  if (wait !== undefined) throw loginRefused(wait, now(), loginRateLimit)
}
