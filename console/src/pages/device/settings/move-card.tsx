import { Text } from '@mantine/core'
import type { Answer } from '../../../api/client.ts'
import { useAction, useApi } from '../../../api/hooks.ts'
import { rich, t } from '../../../languages/text.ts'
import { useIsLimited } from '../../../session/session.ts'
import { ActionButton } from '../../../ui/action-button.tsx'
import { Card } from '../../../ui/card.tsx'
import { Facts } from '../../../ui/facts.tsx'
import { ErrorNotice, tellFailure } from '../../../ui/notices.tsx'
import { State, type StateKind } from '../../../ui/state.tsx'
import { Time } from '../../../ui/time.tsx'
import type { DeviceRecord } from '../use-device.ts'

const operation = 'GET /moves'
type Move = Answer<typeof operation>['data'][number]

/** How far the move of the device to another network is; nothing where there was none. */
export function MoveCard({ device }: { device: DeviceRecord }) {
  const isLimited = useIsLimited()
  const moves = useApi(
    operation,
    { query: { device: device.device_id, limit: 5 } },
    { enabled: !isLimited },
  )
  const [latest, ...earlier] = moves.data?.data ?? []
  // Whoever sees one group knows no other network.
  if (isLimited || (!latest && !moves.error)) return null
  return (
    <Card title={t('Move to another network')}>
      {moves.error && <ErrorNotice error={moves.error} retry={() => void moves.refetch()} />}
      {latest && <MoveState move={latest} />}
      {latest?.finished_at === null && (
        <div>
          <CancelButton move={latest} />
        </div>
      )}
      {earlier.map((move) => (
        <Text key={move.id} size="xs" c="dimmed" component="div">
          {rich('{time}: {networkname} to {networkname2}, ', {
            time: <Time value={move.created_at} />,
            networkname: move.from.network_name,
            networkname2: move.to.network_name,
          })}
          {words[move.state][1].toLowerCase()}
        </Text>
      ))}
    </Card>
  )
}

const words: Record<Move['state'], [kind: StateKind, word: string]> = {
  preparing: ['waiting', t('Being created at the new network')],
  waiting: ['waiting', t('Waiting for its first uplink through the new network')],
  completing: ['waiting', t('Heard by the new network; being removed from the old one')],
  putting_back: ['waiting', t('Being removed from the new network')],
  done: ['good', t('Moved')],
  expired: ['warn', t('Put back: not heard in time')],
  cancelled: ['off', t('Put back: cancelled')],
  failed: ['bad', t('Put back: refused by the new network')],
}

function MoveState({ move }: { move: Move }) {
  const [kind, word] = words[move.state]
  return (
    <>
      <State kind={kind}>{word}</State>
      {move.message && <Text size="sm">{move.message}</Text>}
      <Facts
        rows={[
          [t('From'), move.from.network_name],
          [t('To'), move.to.network_name],
          ...(move.state === 'preparing' || move.state === 'waiting'
            ? [[t('Put back at'), <Time key="end" value={move.expires_at} />] as const]
            : []),
          ...move.steps.map(
            ({ state, at }) => [words[state][1], <Time key={state} value={at} />] as const,
          ),
        ]}
      />
    </>
  )
}

function CancelButton({ move }: { move: Move }) {
  const cancel = useAction('DELETE /moves/{move_id}', {
    invalidates: [operation, 'GET /fleet/devices/{device_id}'],
    onError: (error) => tellFailure(t('The move was not cancelled'), error),
  })
  const isLate = move.state === 'completing' || move.state === 'putting_back'
  return (
    <ActionButton
      variant="default"
      needs="manage_devices"
      loading={cancel.isPending}
      blockedBy={isLate ? t('It can no longer be cancelled.') : undefined}
      onClick={() => cancel.mutate({ path: { move_id: String(move.id) } })}
    >
      {t('Cancel the move')}
    </ActionButton>
  )
}
