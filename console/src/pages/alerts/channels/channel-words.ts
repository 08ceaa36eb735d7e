import { severityNames } from '../../../alerts/alert-words.ts'
import type { Answer } from '../../../api/client.ts'
import { t } from '../../../languages/text.ts'

export type AlertChannel = Answer<'GET /alert-channels'>['data'][number]
export type ChannelKind = AlertChannel['kind']

export const kindNames: Record<ChannelKind, string> = {
  mail: t('Mail'),
  push: t('Push to browsers and phones'),
  ntfy: 'ntfy',
  slack: 'Slack',
  teams: 'Microsoft Teams',
  telegram: 'Telegram',
  pagerduty: 'PagerDuty',
  sms: t('SMS gateway'),
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
      label: t('Webhook address'),
      description: t('In Slack: an app with incoming webhooks, added to a channel.'),
      isSecret: true,
    },
  ],
  teams: [
    {
      name: 'url',
      label: t('Workflow address'),
      description: t(
        'In Teams: the workflow that posts to a channel when a webhook request is received.',
      ),
      isSecret: true,
    },
  ],
  telegram: [
    {
      name: 'token',
      label: t('Bot token'),
      description: t('As BotFather gives it.'),
      isSecret: true,
    },
    {
      name: 'chat_id',
      label: t('Chat'),
      description: t('The id of the chat, or @name of a channel.'),
    },
    { name: 'server', label: t('Server'), usual: 'https://api.telegram.org' },
  ],
  pagerduty: [
    {
      name: 'routing_key',
      label: t('Integration key'),
      description: t('Of an integration of the kind Events API v2.'),
      isSecret: true,
    },
    {
      name: 'server',
      label: t('Server'),
      description: t('In the EU: https://events.eu.pagerduty.com'),
      usual: 'https://events.pagerduty.com',
    },
  ],
  ntfy: [
    {
      name: 'topic',
      label: t('Topic'),
      description: t('Whoever knows it can read it: choose one that is hard to guess.'),
    },
    { name: 'server', label: t('Server'), usual: 'https://ntfy.sh' },
    { name: 'token', label: t('Access token'), isSecret: true, isOptional: true },
  ],
  sms: [
    {
      name: 'url',
      label: t('Address'),
      description: t('Where the gateway takes a message by POST.'),
    },
    { name: 'to', label: t('Phone number') },
    {
      name: 'body',
      label: t('Body'),
      description: t("'{{'to'}}' and '{{'text'}}' become the number and the text."),
      usual: '{"to": "{{to}}", "text": "{{text}}"}',
      isLong: true,
    },
    { name: 'authorization', label: t('Authorization header'), isSecret: true, isOptional: true },
  ],
}

export const dayNames = [
  t('Mon'),
  t('Tue'),
  t('Wed'),
  t('Thu'),
  t('Fri'),
  t('Sat'),
  t('Sun'),
] as const

/** What it tells of, and when. */
export function choiceWords({ severity, days, from, to, after_minutes }: AlertChannel): string {
  const what =
    severity === 'info'
      ? t('All alerts')
      : t('{severity} and worse', { severity: severityNames[severity] })
  const dayWords = days.length === 7 ? [] : [days.map((day) => dayNames[day - 1]).join(' ')]
  return [
    severity === 'critical' ? t('Critical alerts') : what,
    ...dayWords,
    ...(from && to ? [t('{from} to {to}', { from, to })] : []),
    ...(after_minutes > 0
      ? [
          t('after {minutes, plural, one {# minute} other {# minutes}} without an answer', {
            minutes: after_minutes,
          }),
        ]
      : []),
  ].join(', ')
}
