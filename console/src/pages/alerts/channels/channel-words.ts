import { severityNames } from '../../../alerts/alert-words.ts'
import type { Answer } from '../../../api/client.ts'

export type AlertChannel = Answer<'GET /alert-channels'>['data'][number]
export type ChannelKind = AlertChannel['kind']

export const kindNames: Record<ChannelKind, string> = {
  mail: 'Mail',
  push: 'Push to browsers and phones',
  ntfy: 'ntfy',
  slack: 'Slack',
  teams: 'Microsoft Teams',
  telegram: 'Telegram',
  pagerduty: 'PagerDuty',
  sms: 'SMS gateway',
}

/** A setting of a kind, as the form shows it. */
export interface SettingField {
  name: string
  label: string
  description?: string
  usual?: string
  isSecret?: boolean
  isOptional?: boolean
  isLong?: boolean
}

export const settingFields: Record<ChannelKind, readonly SettingField[]> = {
  mail: [],
  push: [],
  slack: [
    {
      name: 'url',
      label: 'Webhook address',
      description: 'In Slack: an app with incoming webhooks, added to a channel.',
      isSecret: true,
    },
  ],
  teams: [
    {
      name: 'url',
      label: 'Workflow address',
      description:
        'In Teams: the workflow that posts to a channel when a webhook request is received.',
      isSecret: true,
    },
  ],
  telegram: [
    { name: 'token', label: 'Bot token', description: 'As BotFather gives it.', isSecret: true },
    { name: 'chat_id', label: 'Chat', description: 'The id of the chat, or @name of a channel.' },
    { name: 'server', label: 'Server', usual: 'https://api.telegram.org' },
  ],
  pagerduty: [
    {
      name: 'routing_key',
      label: 'Integration key',
      description: 'Of an integration of the kind Events API v2.',
      isSecret: true,
    },
    {
      name: 'server',
      label: 'Server',
      description: 'In the EU: https://events.eu.pagerduty.com',
      usual: 'https://events.pagerduty.com',
    },
  ],
  ntfy: [
    {
      name: 'topic',
      label: 'Topic',
      description: 'Whoever knows it can read it: choose one that is hard to guess.',
    },
    { name: 'server', label: 'Server', usual: 'https://ntfy.sh' },
    { name: 'token', label: 'Access token', isSecret: true, isOptional: true },
  ],
  sms: [
    { name: 'url', label: 'Address', description: 'Where the gateway takes a message by POST.' },
    { name: 'to', label: 'Phone number' },
    {
      name: 'body',
      label: 'Body',
      description: '{{to}} and {{text}} become the number and the text.',
      usual: '{"to": "{{to}}", "text": "{{text}}"}',
      isLong: true,
    },
    { name: 'authorization', label: 'Authorization header', isSecret: true, isOptional: true },
  ],
}

export const dayNames = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'] as const

/** What it tells of, and when. */
export function choiceWords({ severity, days, from, to, after_minutes }: AlertChannel): string {
  const what = severity === 'info' ? 'All alerts' : `${severityNames[severity]} and worse`
  const dayWords = days.length === 7 ? [] : [days.map((day) => dayNames[day - 1]).join(' ')]
  return [
    severity === 'critical' ? 'Critical alerts' : what,
    ...dayWords,
    ...(from && to ? [`${from} to ${to}`] : []),
    ...(after_minutes > 0 ? [`after ${after_minutes} minutes without an answer`] : []),
  ].join(', ')
}
