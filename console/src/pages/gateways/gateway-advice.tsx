import { Alert, List, Text } from '@mantine/core'
import { IconAlertTriangle, IconClock } from '@tabler/icons-react'
import { t } from '../../languages/text.ts'
import { Link } from '../../ui/link.tsx'
import type { FleetGateway } from './gateway-query.ts'
import classes from './gateways.module.css'

/** What to do about a gateway that is refused, waits, or is silent. */
export function GatewayAdvice({ gateway }: { gateway: FleetGateway }) {
  if (gateway.status === 'register_error') {
    return (
      <Alert
        color="red"
        variant="outline"
        icon={<IconAlertTriangle aria-hidden />}
        title={t('{name} refused the registration', { name: gateway.network.name })}
      >
        <Text size="sm">{gateway.error ?? t('It gave no reason.')}</Text>
        <Text size="sm" mt="xs">
          {t('Delete the gateway here, fix what the network names, and register it again.')}
        </Text>
      </Alert>
    )
  }
  if (gateway.status === 'pending') {
    return (
      <Alert
        color="gray"
        variant="outline"
        icon={<IconClock aria-hidden />}
        title={t('{name} does not have it yet', { name: gateway.network.name })}
      >
        <Text size="sm">{gateway.error ?? t('The registration is on its way.')}</Text>
        <Text size="sm" mt="xs">
          {t('It is retried automatically. ')}
          <Link to="/networks">{t("Look at the network's account")}</Link>
        </Text>
      </Alert>
    )
  }
  return gateway.verdict.state === 'ok' ? null : <Silence gateway={gateway} />
}

function Silence({ gateway }: { gateway: FleetGateway }) {
  const [reason] = gateway.verdict.reasons
  return (
    <Alert
      color="yellow"
      variant="outline"
      icon={<IconAlertTriangle aria-hidden className={classes.warning} />}
      title={<span className={classes.warning}>{reason?.message}</span>}
    >
      <Text size="sm">{t('What to check, the likeliest first:')}</Text>
      <List size="sm" mt={4}>
        {checksOf(gateway).map((check) => (
          <List.Item key={check}>{check}</List.Item>
        ))}
      </List>
      <Text size="sm" mt="xs">
        {t(
          'A gateway is heard when an uplink of your devices comes through it; its own status messages do not reach this service.',
        )}
      </Text>
    </Alert>
  )
}

const common = {
  power: t('Has it power and a connection to the Internet? Its own page or its lights say so.'),
  devices: t('Do devices near it send? One press on a sensor’s button or magnet is enough.'),
  eui: t('Is the gateway EUI here the one on its label?'),
} as const

const byNetwork: Readonly<Record<string, readonly string[]>> = {
  chirpstack: [
    t(
      'Does ChirpStack show it as online, under Gateways? If not, the packet forwarder has another server address.',
    ),
    t('Does the gateway bridge run, and with the region of the gateway?'),
  ],
  thethingsnetwork: [
    t(
      'Does The Things Stack show it as connected? If not, compare the server address and the API key of its LNS or CUPS.',
    ),
    t('Is its frequency plan that of your devices?'),
  ],
  loriot: [t('Does LORIOT show it as connected? Its forwarder must be that of your server.')],
  actility: [t('Is the base station active in ThingPark, with its LRR key?')],
  kerlink: [t('Is the gateway enrolled at the Wanesy Management Center, in your cluster?')],
  aws_iot_core_lora: [
    t(
      'Does AWS IoT Core for LoRaWAN show its last connection? If not, look at its certificate and its CUPS or LNS address.',
    ),
  ],
  other: [
    t('Does it post its uplinks to the address and with the token under “Installation”?'),
    t(
      'Does its log show the answers? 401 means a wrong token, 422 a message that is not understood.',
    ),
  ],
}

function checksOf({ network }: FleetGateway): readonly string[] {
  return [common.power, ...(byNetwork[network.key] ?? []), common.devices, common.eui]
}
