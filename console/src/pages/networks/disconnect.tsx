import { useState } from 'react'
import { accountInQuery, keyOfAccount } from '../../accounts/account-key.ts'
import { useAction } from '../../api/hooks.ts'
import { ActionButton } from '../../ui/action-button.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { tellSuccess } from '../../ui/notices.tsx'
import { countOf } from '../../ui/numbers.ts'
import type { AccountState, FleetNetwork } from './network-words.ts'

interface DisconnectProps {
  network: FleetNetwork
  account: AccountState
}

export function Disconnect({ network, account }: DisconnectProps) {
  const [isOpen, setOpen] = useState(false)
  const remove = useAction('DELETE /network-accounts/{network}', {
    invalidates: ['GET /fleet/networks', 'GET /network-accounts'],
    onSuccess: () => tellSuccess(`${network.name} is disconnected.`),
  })
  const { devices, waiting_calls: calls, quarantined } = account.counts
  return (
    <div>
      <ActionButton needs="manage_account" variant="default" onClick={() => setOpen(true)}>
        Disconnect
      </ActionButton>
      <Confirm
        opened={isOpen}
        title={`Disconnect ${network.name}?`}
        action={`Disconnect ${network.name}`}
        onClose={() => setOpen(false)}
        onConfirm={() =>
          remove.mutateAsync({
            path: { network: network.key },
            query: accountInQuery(keyOfAccount(account)),
          })
        }
      >
        <ul>
          <li>
            {countOf(devices, 'device')} and their history stay here, and stay at the network.
          </li>
          <li>Uplinks that the network still sends are refused at once.</li>
          {network.capabilities.callback === 'by_service' && (
            <li>The service takes its callback away from the network.</li>
          )}
          {calls > 0 && <li>{countOf(calls, 'call')} to the network wait for another account.</li>}
          {quarantined > 0 && (
            <li>{countOf(quarantined, 'quarantined message')} can no longer be looked at.</li>
          )}
          <li>The stored credentials are deleted: to connect again, enter them again.</li>
        </ul>
      </Confirm>
    </div>
  )
}
