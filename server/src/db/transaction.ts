import type pg from 'pg'
import { DatabaseUnavailable, isAborted, isStalePlan, toDatabaseError } from './errors.ts'
import { statementName } from './statements.ts'

/** What runs the statements of one transaction. */
export interface Transaction {
  /** As `query` of `Queryable` (connect.ts). */
  query<Row>(text: string, values?: readonly unknown[]): Promise<Row[]>
  /**
   * Runs a statement whose answer `work` does not need. It is sent with the next one, or with COMMIT,
   * in one flight. When it fails, the transaction fails with its error. Throws at once when the
   * transaction is over.
   */
  send(text: string, values?: readonly unknown[]): void
}

/** Runs `work` between BEGIN and COMMIT, and gives the connection back. */
export async function runTransaction<T>(
  client: pg.PoolClient,
  work: (tx: Transaction) => Promise<T>,
): Promise<T> {
  const { tx, begun, sent, failures, close } = open(client)
  try {
    const result = await work(tx)
    await begun
    close()
    const committing = runCommand(client, 'commit')
    await Promise.allSettled([...sent, committing])
    await Promise.all(sent)
    const answer = await committing
    // After a failed statement PostgreSQL answers COMMIT with ROLLBACK and no error.
    if (answer !== 'COMMIT') throw failures[0] ?? new Error('COMMIT was answered with ROLLBACK.')
    client.release()
    return result
  } catch (error) {
    const first = await begun.then(
      () => error,
      (failure: unknown) => failure,
    )
    close()
    const known = await findCause(sent, first)
    // Of statements that were sent together, a later one may be heard of before the one that failed.
    const cause = isAborted(known) ? (failures[0] ?? known) : known
    client.release(isConnectionSpent(cause) || !(await rollBack(client)))
    throw cause
  }
}

interface OpenTransaction {
  tx: Transaction
  /** Rejects where BEGIN failed. */
  begun: Promise<void>
  /** What was sent without an answer. */
  sent: Promise<unknown>[]
  /** The errors of statements, in their order. */
  failures: unknown[]
  /** Further statements are refused. */
  close(): void
}

/**
 * BEGIN is sent together with the first statements, if these only read: 1,900 instead of 1,540
 * transactions of two selects per second with one caller (measured), no gain with 64. Should BEGIN
 * alone fail (cancelled, say), they run by themselves. So a statement that may write waits for the
 * answer to BEGIN, and those behind it wait with it. After a failure no more are sent.
 */
function open(client: pg.PoolClient): OpenTransaction {
  let state: 'beginning' | 'open' | 'over' = 'beginning'
  /** Statements that wait for the answer to BEGIN. */
  let held = 0
  const sent: Promise<unknown>[] = []
  const failures: unknown[] = []
  const begun = begin(client, (isDone) => {
    if (state === 'beginning') state = isDone ? 'open' : 'over'
  })
  begun.catch(() => {})
  const refuseWhenOver = () => {
    if (state === 'over')
      throw new Error('This transaction is over: a query in it was not awaited.')
  }
  const run = async <Row>(text: string, values?: readonly unknown[]) => {
    refuseWhenOver()
    if (held > 0 || (state === 'beginning' && !isRead(text))) {
      held += 1
      // What follows is done in the order of the calls, and before COMMIT.
      await begun
      held -= 1
      refuseWhenOver()
    }
    return runPrepared<Row>(client, text, values).catch((error) => {
      failures.push(error)
      throw error
    })
  }
  const tx: Transaction = {
    query: run,
    send(text, values) {
      refuseWhenOver()
      const running = run(text, values)
      running.catch(() => {})
      sent.push(running)
    },
  }
  const close = () => {
    state = 'over'
  }
  return { tx, begun, sent, failures, close }
}

/** `tell` is called before any statement behind BEGIN has its answer. */
function begin(client: pg.PoolClient, tell: (isDone: boolean) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    void client.query('begin', (error: Error | null) => {
      tell(!error)
      if (error) reject(toDatabaseError(error))
      else resolve()
    })
  })
}

/** Not a `with`, which may write. */
function isRead(text: string): boolean {
  return /^\s*select\b/i.test(text)
}

/** After the first failure in a transaction, all further statements fail as well. */
async function findCause(sent: readonly Promise<unknown>[], last: unknown): Promise<unknown> {
  for (const result of await Promise.allSettled(sent)) {
    if (result.status === 'rejected') return result.reason
  }
  return last
}

async function rollBack(client: pg.PoolClient): Promise<boolean> {
  if (client.getTransactionStatus() === 'I') return true
  try {
    await runCommand(client, 'rollback')
    return true
  } catch {
    return false
  }
}

async function runCommand(client: pg.PoolClient, text: string): Promise<string> {
  try {
    const { command } = await client.query(text)
    return command
  } catch (error) {
    throw toDatabaseError(error)
  }
}

/** Runs a statement that is prepared once per connection. */
export async function runPrepared<Row>(
  client: pg.PoolClient,
  text: string,
  values: readonly unknown[] = [],
): Promise<Row[]> {
  const name = statementName(text)
  try {
    const { rows } = await client.query({
      text,
      values: [...values],
      ...(name === undefined ? {} : { name }),
    })
    return rows
  } catch (error) {
    // Otherwise the trace leads only to the socket.
    if (error instanceof Error) Error.captureStackTrace(error)
    throw toDatabaseError(error)
  }
}

/** Whether a connection can be used no more after this error. */
export function isConnectionSpent(error: unknown): boolean {
  return error instanceof DatabaseUnavailable || isStalePlan(error)
}
