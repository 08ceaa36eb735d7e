import { z } from 'zod'
import { optionalText, requiredLines, requiredText } from '../../../http/fields.ts'

/** The ways to tell a member. */
export const channelKinds = [
  'mail',
  'push',
  'slack',
  'teams',
  'telegram',
  'pagerduty',
  'ntfy',
  'sms',
] as const

export type ChannelKind = (typeof channelKinds)[number]

const address = (label: string) => requiredText(label, 2000)
const server = (usual: string) => address('server').default(usual)
const secret = (label: string) => requiredText(label, 500)

/** Places of the text and of the number in the body of a gateway for SMS. */
export const smsPlaces = { to: '{{to}}', text: '{{text}}' } as const

const format = z
  .enum(['json', 'form'], { error: 'The format must be json or form.' })
  .default('json')

/** The settings of each kind. */
export const channelSettings = {
  mail: z.strictObject({}),
  push: z.strictObject({}),
  slack: z.strictObject({
    url: address('url').describe('The address of an incoming webhook. A secret.'),
  }),
  teams: z.strictObject({
    url: address('url').describe('The address of a workflow that posts a card. A secret.'),
  }),
  telegram: z.strictObject({
    server: server('https://api.telegram.org').describe('Of the Bot API.'),
    token: secret('token').describe('Of the bot. A secret.'),
    chat_id: requiredText('chat_id', 100),
  }),
  pagerduty: z.strictObject({
    server: server('https://events.pagerduty.com').describe('Of the Events API v2.'),
    routing_key: secret('routing_key').describe('Of the integration. A secret.'),
  }),
  ntfy: z.strictObject({
    server: server('https://ntfy.sh'),
    topic: requiredText('topic', 100),
    token: optionalText('token', 500).describe('An access token. A secret.'),
  }),
  sms: z.strictObject({
    url: address('url').describe('Where the gateway takes a message by POST.'),
    to: requiredText('to', 100).describe('The number.'),
    format: format.describe('How the body is written, and the values in it.'),
    body: requiredLines('body', 2000)
      .default(`{"to": "${smsPlaces.to}", "text": "${smsPlaces.text}"}`)
      .describe('`{{to}}` and `{{text}}` become the number and the text.'),
    authorization: optionalText('authorization', 1000).describe(
      'The header `Authorization`. A secret.',
    ),
  }),
} as const satisfies Record<ChannelKind, z.ZodType>

export type SettingsOf<K extends ChannelKind> = z.infer<(typeof channelSettings)[K]>
export type AnySettings = { [K in ChannelKind]: SettingsOf<K> }[ChannelKind]

/** What is never shown again. */
export const secretSettings: Record<ChannelKind, readonly string[]> = {
  mail: [],
  push: [],
  slack: ['url'],
  teams: ['url'],
  telegram: ['token'],
  pagerduty: ['routing_key'],
  ntfy: ['token'],
  sms: ['authorization'],
}

/** Settings that are addresses, which the service calls. */
export const addressSettings = ['url', 'server'] as const
