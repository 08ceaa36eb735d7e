import { Alert, List, Text } from '@mantine/core'
import { IconAlertTriangle, IconClock } from '@tabler/icons-react'
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
        title={`${gateway.network.name} refused the registration`}
      >
        <Text size="sm">{gateway.error ?? 'It gave no reason.'}</Text>
        <Text size="sm" mt="xs">
          Delete the gateway here, fix what the network names, and register it again.
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
        title={`${gateway.network.name} does not have it yet`}
      >
        <Text size="sm">{gateway.error ?? 'The registration is on its way.'}</Text>
        <Text size="sm" mt="xs">
          It is retried automatically.{' '}
          <Link to="/networks">Look at the network&apos;s account</Link>
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
      <Text size="sm">What to check, the likeliest first:</Text>
      <List size="sm" mt={4}>
        {checksOf(gateway).map((check) => (
          <List.Item key={check}>{check}</List.Item>
        ))}
      </List>
      <Text size="sm" mt="xs">
        A gateway is heard when an uplink of your devices comes through it; its own status messages
        do not reach this service.
      </Text>
    </Alert>
  )
}

const common = {
  power: 'Has it power and a connection to the Internet? Its own page or its lights say so.',
  devices: 'Do devices near it send? One press on a sensor’s button or magnet is enough.',
  eui: 'Is the gateway EUI here the one on its label?',
} as const

const byNetwork: Readonly<Record<string, readonly string[]>> = {
  chirpstack: [
    'Does ChirpStack show it as online, under Gateways? If not, the packet forwarder has another server address.',
    'Does the gateway bridge run, and with the region of the gateway?',
  ],
  thethingsnetwork: [
    'Does The Things Stack show it as connected? If not, compare the server address and the API key of its LNS or CUPS.',
    'Is its frequency plan that of your devices?',
  ],
  loriot: ['Does LORIOT show it as connected? Its forwarder must be that of your server.'],
  actility: ['Is the base station active in ThingPark, with its LRR key?'],
  kerlink: ['Is the gateway enrolled at the Wanesy Management Center, in your cluster?'],
  aws_iot_core_lora: [
    'Does AWS IoT Core for LoRaWAN show its last connection? If not, look at its certificate and its CUPS or LNS address.',
  ],
  other: [
    'Does it post its uplinks to the address and with the token under “Installation”?',
    'Does its log show the answers? 401 means a wrong token, 422 a message that is not understood.',
  ],
}

function checksOf({ network }: FleetGateway): readonly string[] {
  return [common.power, ...(byNetwork[network.key] ?? []), common.devices, common.eui]
}
