import pg from 'pg'
import { toDatabaseError } from './errors.ts'

/** A connection on which notices come in. */
export interface Listening {
  end(): void
}

/** Hears what is notified on a channel. The connection is not given back, but ended. */
export async function listen(
  client: pg.PoolClient,
  channel: string,
  hear: (payload: string) => void,
): Promise<Listening> {
  const end = () => client.release(true)
  try {
    client.on('notification', ({ payload }) => hear(payload ?? ''))
    await client.query(`listen ${pg.escapeIdentifier(channel)}`)
    return { end }
  } catch (error) {
    end()
    throw toDatabaseError(error)
  }
}
