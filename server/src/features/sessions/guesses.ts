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

/**
 * Called before anything is spent on a guess.
 *
 * @throws HttpError 429 while the attempt has to wait.
 */
export async function refuseWhileWaiting(limits: Limits, attempt: LoginAttempt): Promise<void> {
  const { db, now, loginRateLimit } = limits
  const wait = await findWait(db, attempt, now())
  if (wait !== undefined) throw loginRefused(wait, now(), loginRateLimit)
}

/**
 * Counts a wrong guess, outside any transaction that might be rolled back. Returns the error to
 * throw: `answer`, or the 429 when the attempt has to wait by now.
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
  // The security log records it like every refusal, within its bounds.
  log.debug({ userId, clientIp }, `${purpose} ${wait === undefined ? 'failed' : 'refused'}`)
  return wait === undefined ? answer : loginRefused(wait, now(), loginRateLimit)
}

/**
 * Counts a right guess. Within a transaction, a refusal also rolls back what the guess has used.
 *
 * @throws HttpError 429 when the attempt has to wait by now: nobody may learn that the guess was
 * right.
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
