import Fastify from 'fastify'

/*
 * The baseline of ingest: only the cost of Fastify and the network. It parses the same JSON and
 * sends it back.
 */
const app = Fastify()
app.get('/ready', async () => ({}))
app.post('/*', async (request) => request.body)
await app.listen({ host: '127.0.0.1', port: Number(process.env.PORT) })
process.on('SIGTERM', () => process.exit(0))
process.channel?.ref()
