import { Text } from '@mantine/core'
import { t } from '../../../languages/text.ts'
import { lorawanWords } from '../../../radio/lorawan-words.ts'
import { Card } from '../../../ui/card.tsx'
import { Eui } from '../../../ui/eui.tsx'
import { Facts } from '../../../ui/facts.tsx'
import { Link } from '../../../ui/link.tsx'
import { Time } from '../../../ui/time.tsx'
import type { DeviceRecord } from '../use-device.ts'

function throughAccount({ register_method: method, account_name: name }: DeviceRecord): string {
  if (method === 'vendor') return t("through the operator's account")
  return name
    ? t('through the account {name}', { name })
    : t("through the organization's own account")
}

function radioWords({ version, activation, device_class }: NonNullable<DeviceRecord['lorawan']>) {
  return lorawanWords({ version, activation, deviceClass: device_class })
}

/** What stays as it was registered. */
export function IdentityCard({ device }: { device: DeviceRecord }) {
  const { gateway, lorawan } = device
  return (
    <Card title={t('Identity')}>
      <Facts
        rows={[
          ['DevEUI', <Eui key="eui" value={device.device_id} label="DevEUI" />],
          ['JoinEUI', <Eui key="join" value={device.join_eui} label="JoinEUI" />],
          [t('Key'), device.has_key ? t('stored, and never shown') : t('unknown here')],
          [t('Network'), device.network.name],
          [t('Registered'), throughAccount(device)],
          [t('Region'), device.region],
          [t('Frequency plan'), device.frequency_plan],
          ...(lorawan ? [['LoRaWAN', radioWords(lorawan)] as const] : []),
          ...(lorawan?.dev_addr ? [[t('Device address'), lorawan.dev_addr] as const] : []),
          ...(device.device_profile ? [[t('Device profile'), device.device_profile] as const] : []),
          [
            t('Gateway'),
            gateway && (
              <Link to="/gateways/$gatewayId" params={{ gatewayId: String(gateway.id) }}>
                {gateway.name}
              </Link>
            ),
          ],
          [t('Since'), <Time key="since" value={device.created_at} />],
          [t('Changed'), <Time key="changed" value={device.updated_at} />],
        ]}
      />
      {lorawan && (
        <Text size="sm" c="dimmed">
          {t(
            'Its LoRaWAN settings stay as they were registered, since networks know a device by them. For others, delete the device and register it again.',
          )}
        </Text>
      )}
    </Card>
  )
}
