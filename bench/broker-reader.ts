import { connect } from 'mqtt'

/*
 * The baseline of ingest by MQTT: a subscriber that parses each message, and acknowledges it. Any
 * question is answered with the number of messages so far, the first one after the subscription.
 */
const { BROKER_URL = '', TOPIC = '' } = process.env
let count = 0
const client = connect(BROKER_URL)
client.on('message', (_topic, payload) => {
  JSON.parse(payload.toString())
  count += 1
})
const subscribed = new Promise<void>((resolve) => {
  client.on('connect', () => client.subscribe(TOPIC, { qos: 1 }, () => resolve()))
})
process.on('message', async (message: { ask?: string }) => {
  if (message.ask !== 'count') return
  await subscribed
  process.send?.({ count })
})
process.on('SIGTERM', () => process.exit(0))
process.channel?.ref()
