import { Button, Drawer, Group, Stack, Text } from '@mantine/core'
import { useApi } from '../../api/hooks.ts'
import { UplinkFrame } from '../../frames/uplink-frame.tsx'
import { t } from '../../languages/text.ts'
import type { LiveUplink } from '../../live/events.ts'
import { Eui } from '../../ui/eui.tsx'
import { Facts } from '../../ui/facts.tsx'
import { formatNumber, readingText } from '../../ui/formats.ts'
import { LinkButton } from '../../ui/link.tsx'
import { List } from '../../ui/list/list.tsx'
import { EmptyState, ErrorNotice } from '../../ui/notices.tsx'
import { LoadingLines } from '../../ui/page.tsx'
import { Time } from '../../ui/time.tsx'
import type { UplinkSearch } from './uplink-search.ts'
import classes from './uplinks.module.css'

interface UplinkDrawerProps {
  ordinal: number | undefined
  onClose: () => void
  onFilter: (changes: UplinkSearch) => void
}

/** One uplink in full, next to the list. */
export function UplinkDrawer({ ordinal, onClose, onFilter }: UplinkDrawerProps) {
  const { data, error, refetch } = useApi(
    'GET /fleet/uplinks',
    { query: { after: `o${(ordinal ?? 0) + 1}`, limit: 1 } },
    { enabled: ordinal !== undefined, staleTime: Number.POSITIVE_INFINITY },
  )
  const found = data?.data.find((uplink) => uplink.ordinal === ordinal)
  return (
    <Drawer.Root opened={ordinal !== undefined} onClose={onClose} size="lg" position="right">
      <Drawer.Overlay />
      <Drawer.Content aria-label={t('Uplink')}>
        {/* A second header would be a second banner of the page. */}
        <Drawer.Header role="none">
          <Drawer.Title>{t('Uplink')}</Drawer.Title>
          <Drawer.CloseButton aria-label={t('Close')} />
        </Drawer.Header>
        <Drawer.Body>
          {error && <ErrorNotice error={error} retry={() => void refetch()} />}
          {!data && !error && <LoadingLines />}
          {data && !found && <EmptyState title={t('Uplink not found')} />}
          {found && <UplinkDetails uplink={found} onFilter={onFilter} />}
        </Drawer.Body>
      </Drawer.Content>
    </Drawer.Root>
  )
}

function UplinkDetails({
  uplink,
  onFilter,
}: {
  uplink: LiveUplink
  onFilter: UplinkDrawerProps['onFilter']
}) {
  return (
    <Stack gap="md">
      <Text fw={600}>{uplink.device_name}</Text>
      <Group gap="xs">
        {!uplink.device_is_deleted && (
          <LinkButton
            to="/devices/$eui"
            params={{ eui: uplink.device_id }}
            size="xs"
            variant="default"
          >
            {t('Open the device')}
          </LinkButton>
        )}
        <Button size="xs" variant="default" onClick={() => onFilter({ device: uplink.device_id })}>
          {t('Only this device')}
        </Button>
        <Button
          size="xs"
          variant="default"
          onClick={() => onFilter({ event_type: uplink.event_type })}
        >
          {t('Only this event')}
        </Button>
      </Group>
      <Facts
        rows={[
          ['DevEUI', <Eui key="eui" value={uplink.device_id} label="DevEUI" />],
          [t('Received'), <Time key="received" value={uplink.received_at} exact />],
          [t('Time of the network'), <Time key="time" value={uplink.event_time} exact />],
          [t('Network'), uplink.network],
          [t('Reading'), uplink.reading && readingText(uplink.reading)],
          [t('Event'), uplink.event_type],
          [
            t('Decoded'),
            <span key="text" className={classes.lines}>
              {uplink.text}
            </span>,
          ],
          [t('Frame'), <Eui key="data" value={uplink.data} label={t('frame')} />],
          [t('Port'), uplink.f_port],
          [t('Frame counter'), uplink.f_cnt],
          [t('Data rate'), uplink.data_rate],
          [
            t('Frequency'),
            uplink.frequency &&
              t('{frequency} MHz', { frequency: formatNumber(uplink.frequency / 1e6, 3) }),
          ],
          ['RSSI', uplink.rssi === null ? null : t('{rssi} dBm', { rssi: uplink.rssi })],
          ['SNR', uplink.snr === null ? null : t('{snr} dB', { snr: formatNumber(uplink.snr) })],
        ]}
      />
      {!uplink.device_is_deleted && (
        <section>
          <h3 className={classes.heading}>{t('Frame, byte by byte')}</h3>
          <UplinkFrame eui={uplink.device_id} uplinkId={uplink.id} />
        </section>
      )}
      <Values values={uplink.decoded_object} />
      <Receptions gateways={uplink.gateways} />
    </Stack>
  )
}

function Values({ values }: { values: LiveUplink['decoded_object'] }) {
  const rows = Object.entries(values).filter(([name]) => name !== 'eventDescription')
  if (rows.length === 0) return null
  return (
    <section>
      <h3 className={classes.heading}>{t('Values')}</h3>
      <Facts
        rows={rows.map(
          ([name, value]) =>
            [name, typeof value === 'object' ? JSON.stringify(value) : String(value)] as const,
        )}
      />
    </section>
  )
}

function Receptions({ gateways }: Pick<LiveUplink, 'gateways'>) {
  if (gateways.length === 0) return null
  return (
    <section>
      <h3 className={classes.heading}>{t('Gateways that heard it')}</h3>
      <List
        caption={t('Gateways that heard it')}
        rows={gateways.map((gateway, index) => ({ ...gateway, index }))}
        keyOf={({ index }) => index}
        columns={[
          {
            title: t('Gateway'),
            cell: ({ gateway_eui, id }) =>
              gateway_eui ? (
                <Eui value={gateway_eui} label={t('gateway EUI')} />
              ) : (
                (id ?? t('not told'))
              ),
          },
          {
            title: 'RSSI',
            isNumber: true,
            cell: ({ rssi }) => (rssi === null ? '–' : t('{rssi} dBm', { rssi })),
          },
          {
            title: 'SNR',
            isNumber: true,
            cell: ({ snr }) => (snr === null ? '–' : t('{snr} dB', { snr: formatNumber(snr) })),
          },
        ]}
      />
    </section>
  )
}
