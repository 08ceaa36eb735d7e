import type { Message } from '../webhooks/post-message.ts'
import { type AnySettings, type ChannelKind, type SettingsOf, smsPlaces } from './channel-kinds.ts'

export type Severity = 'info' | 'warning' | 'critical'

/** What is told, whatever the way. */
export interface Notice {
  title: string
  /** Several lines. */
  text: string
  /** Where the console shows it. */
  url: string
  /** Null where something is over only. */
  severity: Severity | null
  /** Whether something of it is still open. */
  isOpen: boolean
  /** The same for all messages of a channel. */
  channelKey: string
}

/** The kinds that are one request. */
export type PostedKind = Exclude<ChannelKind, 'mail' | 'push'>

type Requests = {
  [K in PostedKind]: (settings: SettingsOf<K>, notice: Notice) => Message
}

/** What each service is sent. */
const requests: Requests = {
  /** docs.slack.dev/messaging/sending-messages-using-incoming-webhooks */
  slack: ({ url }, { title, text, url: link }) =>
    json(url, {
      text: `*${escapeSlack(title)}*\n${escapeSlack(cut(text, 3000))}\n<${link}|Open in the console>`,
      unfurl_links: false,
    }),
  /** learn.microsoft.com/power-automate/teams: an adaptive card (adaptivecards.io/schemas) in a message. */
  teams: ({ url }, { title, text, url: link }) =>
    json(url, {
      type: 'message',
      attachments: [
        {
          contentType: 'application/vnd.microsoft.card.adaptive',
          contentUrl: null,
          content: {
            $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
            type: 'AdaptiveCard',
            version: '1.4',
            body: [
              { type: 'TextBlock', text: plainMarkdown(title), weight: 'Bolder', wrap: true },
              // A line of Markdown ends with a blank one.
              {
                type: 'TextBlock',
                text: plainMarkdown(cut(text, 10_000)).replaceAll('\n', '\n\n'),
                wrap: true,
              },
            ],
            actions: [{ type: 'Action.OpenUrl', title: 'Open in the console', url: link }],
          },
        },
      ],
    }),
  /** core.telegram.org/bots/api#sendmessage: 4096 characters at most. */
  telegram: ({ server, token, chat_id }, { title, text, url }) =>
    json(`${bare(server)}/bot${encodeURIComponent(token).replaceAll('%3A', ':')}/sendMessage`, {
      chat_id,
      text: `${title}\n\n${cut(text, 3500)}\n\n${url}`,
      link_preview_options: { is_disabled: true },
    }),
  /**
   * developer.pagerduty.com/docs/events-api-v2: one incident for each channel, which ends when nothing of it
   * is open any more.
   */
  pagerduty: ({ server, routing_key }, { title, text, url, severity, isOpen, channelKey }) =>
    json(`${bare(server)}/v2/enqueue`, {
      routing_key,
      event_action: isOpen ? 'trigger' : 'resolve',
      dedup_key: channelKey,
      payload: {
        summary: cut(title, 1024),
        source: new URL(url).host,
        severity: severity ?? 'info',
        custom_details: { alerts: cut(text, 10_000) },
      },
      links: [{ href: url, text: 'Open in the console' }],
    }),
  /** docs.ntfy.sh/publish#publish-as-json: 4096 bytes at most. */
  ntfy: ({ server, topic, token }, { title, text, url, severity }) => {
    const priority = severity === 'critical' ? 5 : severity === 'warning' ? 4 : 3
    const body = { topic, title, message: cut(text, 1000), priority, click: url }
    return json(bare(server), body, token ? { authorization: `Bearer ${token}` } : {})
  },
  sms: ({ url, to, format, body, authorization }, { title, url: link }) => {
    const write =
      format === 'json' ? (text: string) => JSON.stringify(text).slice(1, -1) : encodeURIComponent
    const text = `${cut(title, 250)} ${link}`
    const headers = {
      'content-type': format === 'json' ? 'application/json' : 'application/x-www-form-urlencoded',
      ...(authorization ? { authorization } : {}),
    }
    const filled = body
      .replaceAll(smsPlaces.to, () => write(to))
      .replaceAll(smsPlaces.text, () => write(text))
    return { url, headers, body: filled }
  },
}

export function requestOf(kind: PostedKind, settings: AnySettings, notice: Notice): Message {
  const make = requests[kind] as (settings: AnySettings, notice: Notice) => Message
  return make(settings, notice)
}

function json(url: string, body: object, headers: Record<string, string> = {}): Message {
  return { url, headers, body: JSON.stringify(body) }
}

function bare(server: string): string {
  return server.replace(/\/+$/, '')
}

function cut(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most - 1)}…` : text
}

function escapeSlack(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

/** Names come from members and networks: none of them is a link or a picture. */
function plainMarkdown(text: string): string {
  return text.replace(/[\\`*_[\]()#<>~|!]/g, '\\$&')
}
