import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { text as readText } from 'node:stream/consumers'
import { findFreePort } from './port.ts'

/** A message as a receiver gets it. */
export interface Received {
  id: string
  headers: IncomingHttpHeaders
  socket: Socket
  text: string
  // biome-ignore lint/suspicious/noExplicitAny: tests look into messages freely
  body: any
}

/** A server of an organization, which goes away and comes back. */
export interface WebhookReceiver {
  url: string
  /** All that arrived, whatever was answered. */
  received: Received[]
  /** Answers 200 by default. */
  answer(as: (response: ServerResponse, message: Received) => void): void
  goAway(): Promise<void>
  comeBack(): Promise<void>
}

export async function startReceiver(t: {
  after(end: () => Promise<void>): unknown
}): Promise<WebhookReceiver> {
  const port = await findFreePort()
  const received: Received[] = []
  let respond: (response: ServerResponse, message: Received) => void = (response) => response.end()
  let server: Server | undefined
  const comeBack = async () => {
    server = createServer(async (request, response) => {
      // A sender that dies cuts its request off: nothing was received then.
      const text = await readText(request).catch(() => undefined)
      if (text === undefined) return
      const id = String(request.headers['webhook-id'])
      const { headers, socket } = request
      const message = { id, headers, socket, text, body: JSON.parse(text) }
      received.push(message)
      respond(response, message)
    })
    await new Promise<void>((resolve) => server?.listen(port, '127.0.0.1', resolve))
  }
  const goAway = async () => {
    server?.closeAllConnections()
    await new Promise((resolve) => server?.close(resolve) ?? resolve(undefined))
    server = undefined
  }
  t.after(goAway)
  await comeBack()
  return {
    url: `http://127.0.0.1:${port}/hook`,
    received,
    answer: (as) => {
      respond = as
    },
    goAway,
    comeBack,
  }
}

/** Checks a signature as the specification describes it, without the code of the service. */
export function assertSigned({ headers, text }: Received, secret: string): void {
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64')
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${text}`
  const expected = `v1,${createHmac('sha256', key).update(signed).digest('base64')}`
  const signatures = String(headers['webhook-signature']).split(' ')
  assert.ok(signatures.includes(expected), `${signatures} has ${expected}`)
}
