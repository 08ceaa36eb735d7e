import pg from 'pg'

/** Returns the address of another database on the same server. */
export function databaseUrl(server: string, name: string): string {
  const url = new URL(server)
  url.pathname = `/${name}`
  return url.href
}

/** For a server that answers no more, so that a test fails before its process is ended. In milliseconds. */
const patience = { connectionTimeoutMillis: 60_000, query_timeout: 240_000 }

export async function runOnServer<Row extends pg.QueryResultRow>(
  server: string,
  text: string,
): Promise<Row[]> {
  const client = new pg.Client({ connectionString: server, ...patience })
  await client.connect()
  try {
    const { rows } = await client.query<Row>(text)
    return rows
  } finally {
    await client.end()
  }
}
