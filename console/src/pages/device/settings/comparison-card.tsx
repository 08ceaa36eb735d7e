import { Group, Stack, Table, Text } from '@mantine/core'
import { rich, t } from '../../../languages/text.ts'
import { ActionButton } from '../../../ui/action-button.tsx'
import { Card } from '../../../ui/card.tsx'
import { tellFailure, tellSuccess } from '../../../ui/notices.tsx'
import { State } from '../../../ui/state.tsx'
import { Time } from '../../../ui/time.tsx'
import { CompareButton, methodOf, useReconcile } from '../compare-button.tsx'
import type { DeviceRecord } from '../use-device.ts'

type Difference = NonNullable<NonNullable<DeviceRecord['account']>['difference']>
type Action = Difference['actions'][number]

/** What the network has against what is here, with a choice. */
export function ComparisonCard({ device }: { device: DeviceRecord }) {
  const { account } = device
  if (!account) {
    return (
      <Card title={t('Comparison with the network')}>
        <Text size="sm" c="dimmed">
          {t('There is no account of this organization at {name} to compare with.', {
            name: device.network.name,
          })}
        </Text>
      </Card>
    )
  }
  return (
    <Card title={t('Comparison with the network')} actions={<CompareButton device={device} />}>
      {account.difference ? (
        <DifferenceRow device={device} difference={account.difference} />
      ) : account.compared_at ? (
        <Text size="sm" component="div">
          {rich('<state>Both agree</state>, as of {time}.', {
            state: (content) => <State kind="good">{content}</State>,
            time: <Time value={account.compared_at} />,
          })}
        </Text>
      ) : (
        <Text size="sm" c="dimmed">
          {t('Not compared yet. Each account is compared once a day.')}
        </Text>
      )}
    </Card>
  )
}

const words: Record<NonNullable<Difference['difference']>, string> = {
  only_at_network: t('It is registered at the network only.'),
  only_here: t('The network does not have it.'),
  name_differs: t('The network has another name for it.'),
  key_differs: t('The network has another key for it.'),
  join_eui_differs: t('The network has another JoinEUI for it.'),
  lorawan_differs: t('The network has another LoRaWAN version, activation or class for it.'),
  incomplete: t('It is incomplete at the network.'),
}

const labels: Record<Action, [label: string, meaning: string]> = {
  repair: [t('Repair'), t('Repair tells the network what is here.')],
  adopt: [t('Adopt'), t('Adopt takes over what the network has.')],
  ignore: [t('Ignore'), t('Ignore leaves both as they are, and reports it no more.')],
  unignore: [t('Report again'), t('Report again reports the difference again.')],
}

function DifferenceRow({ device, difference }: { device: DeviceRecord; difference: Difference }) {
  const reconcile = useReconcile(t('Nothing was changed'))
  const act = (action: Action) =>
    reconcile.mutate(
      {
        path: { network: device.network.key },
        body: { ...methodOf(device), rows: [{ kind: 'device', eui: device.device_id, action }] },
      },
      {
        onSuccess: ({ data }) => {
          const result = data.rows.find(({ eui }) => eui === device.device_id)?.result
          if (result && !result.status) tellFailure(t('Nothing was changed'), result.message)
          else tellSuccess(result?.message ?? t('Done.'))
        },
      },
    )
  const { name_here, name_there, problem, ignored, actions } = difference
  return (
    <Stack gap="sm">
      <State kind={ignored ? 'off' : 'warn'}>
        {words[difference.difference ?? 'incomplete']} {ignored && t('(ignored)')}
      </State>
      {problem && <Text size="sm">{problem}</Text>}
      <Table verticalSpacing={4} withRowBorders={false}>
        <Table.Tbody>
          <SideRow side={t('Name here')} name={name_here} />
          <SideRow side={t('Name at the network')} name={name_there} />
        </Table.Tbody>
      </Table>
      <Group gap="xs">
        {actions.map((action) => (
          <ActionButton
            key={action}
            size="xs"
            variant={action === actions[0] ? 'filled' : 'default'}
            needs="manage_account"
            loading={reconcile.isPending}
            onClick={() => act(action)}
          >
            {labels[action][0]}
          </ActionButton>
        ))}
      </Group>
      <Text size="xs" c="dimmed">
        {actions.map((action) => labels[action][1]).join(' ')}
      </Text>
    </Stack>
  )
}

function SideRow({ side, name }: { side: string; name: string | null }) {
  return (
    <Table.Tr>
      <Table.Th scope="row" fw={400} c="dimmed">
        {side}
      </Table.Th>
      <Table.Td>{name ?? '–'}</Table.Td>
    </Table.Tr>
  )
}
