import { Alert, Group, Text } from '@mantine/core'
import { IconEarOff } from '@tabler/icons-react'
import { Link } from '../../../ui/link.tsx'
import { Time } from '../../../ui/time.tsx'
import { CompareButton } from '../compare-button.tsx'
import classes from '../device.module.css'
import type { DeviceRecord } from '../use-device.ts'
import { type Cause, findCauses } from './silence.ts'

/** Why nothing comes from a device, as far as it is known here. */
export function SilenceCard({ device }: { device: DeviceRecord }) {
  const isSilent = device.verdict.state === 'silent'
  if (!isSilent && device.last_seen !== null) return null
  const causes = findCauses(device)
  const title = isSilent ? 'Why is it silent?' : 'Not heard yet'
  return (
    <Alert color="yellow" variant="outline" icon={<IconEarOff aria-hidden />} title={title}>
      {causes.length > 0 ? (
        <ul className={classes.list}>
          {causes.map((cause) => (
            <li key={cause.text}>
              {cause.text} <strong>{cause.remedy}</strong> <Where cause={cause} device={device} />
            </li>
          ))}
        </ul>
      ) : (
        <NothingKnown device={device} />
      )}
    </Alert>
  )
}

function Where({ cause: { where }, device }: { cause: Cause; device: DeviceRecord }) {
  if (where === 'networks') return <Link to="/networks">Networks</Link>
  if (where !== 'settings') return null
  return (
    <Link to="/devices/$eui" params={{ eui: device.device_id }} search={{ tab: 'settings' }}>
      Settings
    </Link>
  )
}

function NothingKnown({ device }: { device: DeviceRecord }) {
  const { account, network } = device
  return (
    <Text size="sm" component="div">
      Nothing that is known here explains it: {network.name} has the device, and its account works.
      {account && (
        <Group gap="xs" my="xs">
          <span>
            Does {network.name} have the same key and JoinEUI?{' '}
            {account.compared_at ? (
              <>
                They agreed <Time value={account.compared_at} />.
              </>
            ) : (
              'That was not compared yet.'
            )}
          </span>
          <CompareButton device={device} />
        </Group>
      )}
      Otherwise the cause is with the device:
      <ul className={classes.list}>
        <li>Does it have power? Take the battery out for ten seconds: it then joins again.</li>
        <li>Trigger it (open the door, press the button): most sensors send at once.</li>
        <li>
          Is a gateway of {device.network.name} in reach and online? See the{' '}
          <Link to="/gateways">gateways</Link>.
        </li>
        <li>
          Are DevEUI, JoinEUI and key those on its label? A wrong key lets no device join. See its{' '}
          <Link to="/devices/$eui" params={{ eui: device.device_id }} search={{ tab: 'settings' }}>
            settings
          </Link>
          .
        </li>
      </ul>
    </Text>
  )
}
