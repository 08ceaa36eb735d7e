import { Group, Text } from '@mantine/core'
import type { Answer, RequestParts } from '../../api/client.ts'
import { useAction, useApi } from '../../api/hooks.ts'
import { StateBand } from '../../charts/state-band.tsx'
import { TimeChart } from '../../charts/time-chart.tsx'
import { rich, t } from '../../languages/text.ts'
import { ActionButton } from '../../ui/action-button.tsx'
import { ErrorNotice } from '../../ui/notices.tsx'
import { Time } from '../../ui/time.tsx'
import type { StoredConditions } from './condition-values.ts'

type Body = RequestParts<'POST /alert-rules/preview'>['body']
type Found = Answer<'POST /alert-rules/preview'>['data']

/** How often the rule, as it is in the form, would have fired in the last week. */
export function RulePreview({ bodyOf }: { bodyOf: () => Body }) {
  const preview = useAction('POST /alert-rules/preview')
  const found = preview.data?.data
  const asked = preview.variables
  return (
    <>
      <Group>
        <ActionButton
          needs="manage_devices"
          variant="default"
          size="compact-sm"
          loading={preview.isPending}
          onClick={() => preview.mutate({ body: bodyOf() })}
        >
          {t('Check against the last week')}
        </ActionButton>
      </Group>
      {preview.error && <ErrorNotice error={preview.error} />}
      {found && !preview.isPending && (
        <Text size="sm" role="status">
          {found.alerts === 0
            ? t(
                'It would not have fired, by {uplinks, plural, one {# message} other {# messages}} since ',
                { uplinks: found.uplinks },
              )
            : t(
                'It would have fired {alerts, plural, one {# time} other {# times}} on {devices, plural, one {# device} other {# devices}}, by {uplinks, plural, one {# message} other {# messages}} since ',
                { alerts: found.alerts, devices: found.devices, uplinks: found.uplinks },
              )}
          <Time value={found.from} exact />
          {found.last_at !== null &&
            rich(', the last time {time}', { time: <Time value={found.last_at} /> })}
          .
        </Text>
      )}
      {asked && found?.shown && !preview.isPending && (
        <PreviewChart found={found} shown={found.shown} body={asked.body} />
      )}
    </>
  )
}

interface PreviewChartProps {
  found: Found
  shown: NonNullable<Found['shown']>
  body: Body
}

/** What a device said in that time, the limits of the rule, and when it would have fired. */
function PreviewChart({ found, shown: { device, alerts }, body }: PreviewChartProps) {
  const measured = measuredBy(body)
  const range = { from: Date.parse(found.from), to: Date.now() }
  const { data } = useApi(
    'POST /measurements/query',
    {
      body: {
        from: found.from,
        to: new Date(Math.ceil(range.to / 60_000) * 60_000).toISOString(),
        aggregate: ['avg'],
        series: [{ devices: [device.id], ...measured.what }],
      },
    },
    { enabled: measured.what !== undefined, staleTime: 60_000 },
  )
  const [series] = data?.data ?? []
  const points = series?.points.filter((point) => typeof point[1] === 'number') ?? []
  return (
    <>
      {points.length > 0 && series && (
        <TimeChart
          title={`${series.label}: ${device.name}`}
          device={device.name}
          times={points.map(([time]) => Date.parse(String(time)))}
          series={[{ name: series.label, values: points.map((point) => Number(point[1])) }]}
          unit={series.unit}
          range={range}
          limits={measured.limits}
          height={120}
        />
      )}
      <StateBand
        title={t('Alerts: {name}', { name: device.name })}
        range={range}
        state={bandOf(alerts, range.to)}
      />
    </>
  )
}

const limitWords = { above: t('Above'), below: t('Below') }

/** The number that a rule looks at, and its limits; none for words such as those of a door. */
function measuredBy({ kind, settings = {} }: Body) {
  if (kind === 'threshold') {
    const limits = (['above', 'below'] as const).flatMap((is) => {
      const value = settings[is]
      return typeof value === 'number' ? [{ value, label: limitWords[is] }] : []
    })
    return { what: { measurement: String(settings.key) }, limits }
  }
  const conditions = kind === 'condition' ? ((settings as StoredConditions).conditions ?? []) : []
  const numeric = conditions.find(({ value }) => typeof value === 'number')
  if (!numeric) return { what: undefined, limits: [] }
  const { measurement, quantity, is, value } = numeric
  return {
    what: measurement === null ? { quantity: quantity ?? '' } : { measurement },
    limits:
      is === 'above' || is === 'below' ? [{ value: Number(value), label: limitWords[is] }] : [],
  }
}

/** The alerts as a state, which the band draws with how often and how long. */
function bandOf(alerts: PreviewChartProps['shown']['alerts'], now: number) {
  const text = t('Alert')
  const intervals = alerts.map(({ from, to }) => {
    const seconds = ((to === null ? now : Date.parse(to)) - Date.parse(from)) / 1000
    return { value: 'alert', text, from, to, seconds }
  })
  const lengths = intervals.map(({ seconds }) => seconds)
  const total = {
    ...{ value: 'alert', text, count: intervals.length },
    seconds: lengths.reduce((sum, length) => sum + length, 0),
    longest: Math.max(0, ...lengths),
  }
  return { name: 'alert', label: text, quantity: null, intervals, totals: [total] }
}
