import { connect, type Database } from '../server/src/db/connect.ts'

/** The embedded PostgreSQL's superuser has the password of the service's role (db/embedded/). */
export async function asSuperuser<T>(
  databaseUrl: string,
  work: (superuser: Database) => Promise<T>,
): Promise<T> {
  const address = new URL(databaseUrl)
  address.username = 'postgres'
  const superuser = connect(address.href, { max: 1, statementTimeout: 600_000 })
  try {
    return await work(superuser)
  } finally {
    await superuser.close()
  }
}
