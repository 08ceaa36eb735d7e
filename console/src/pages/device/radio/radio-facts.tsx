import { Text } from '@mantine/core'
import { rich, t } from '../../../languages/text.ts'
import { type Radio, rateName } from '../../../radio/radio-series.ts'
import { Card } from '../../../ui/card.tsx'
import { Facts } from '../../../ui/facts.tsx'
import { formatNumber } from '../../../ui/formats.ts'
import { formatCount } from '../../../ui/numbers.ts'
import { State } from '../../../ui/state.tsx'
import { Time } from '../../../ui/time.tsx'

const reasons = {
  join: t('it joined'),
  restart: t('it restarted'),
  wrap: t('its counter went round'),
}

/** The range in numbers. */
export function RadioFacts({ radio }: { radio: Radio }) {
  const { received, lost, loss, repeated, restarts, data_rates } = radio
  const latest = restarts.at(-1)
  return (
    <Card>
      <Facts
        rows={[
          [t('Received'), t('{received} frames', { received: formatCount(received) })],
          [
            t('Lost'),
            <State key="lost" kind={(loss ?? 0) > 0.1 ? 'warn' : 'good'}>
              {t('{lost} frames, {loss} %', {
                lost: formatCount(lost),
                loss: formatNumber((loss ?? 0) * 100, 1),
              })}
            </State>,
          ],
          [t('Repeated'), formatCount(repeated)],
          [
            t('Counter restarts'),
            latest ? (
              <>
                {rich('{count}, the last {time}: ', {
                  count: formatCount(restarts.length),
                  time: <Time value={latest.time} />,
                })}
                {reasons[latest.reason]}
              </>
            ) : (
              'none'
            ),
          ],
          [t('Data rates'), data_rates.map(({ data_rate }) => rateName(data_rate)).join(', ')],
        ]}
      />
      {!radio.is_complete && (
        <Text size="xs" mt="xs">
          {t('The range holds more uplinks than are read at once. This is what came since ')}
          <Time value={radio.since} exact />.
        </Text>
      )}
    </Card>
  )
}
