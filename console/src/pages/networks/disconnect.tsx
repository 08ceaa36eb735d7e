import { useState } from 'react'
import { accountInQuery, keyOfAccount } from '../../accounts/account-key.ts'
import { useAction } from '../../api/hooks.ts'
import { t } from '../../languages/text.ts'
import { ActionButton } from '../../ui/action-button.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { tellSuccess } from '../../ui/notices.tsx'
import type { AccountState, FleetNetwork } from './network-words.ts'

interface DisconnectProps {
  network: FleetNetwork
  account: AccountState
}

export function Disconnect({ network, account }: DisconnectProps) {
  const [isOpen, setOpen] = useState(false)
  const remove = useAction('DELETE /network-accounts/{network}', {
    invalidates: ['GET /fleet/networks', 'GET /network-accounts'],
    onSuccess: () => tellSuccess(t('{name} is disconnected.', { name: network.name })),
  })
  const { devices, waiting_calls: calls, quarantined } = account.counts
  return (
    <div>
      <ActionButton needs="manage_account" variant="default" onClick={() => setOpen(true)}>
        {t('Disconnect')}
      </ActionButton>
      <Confirm
        opened={isOpen}
        title={t('Disconnect {name}?', { name: network.name })}
        action={t('Disconnect {name}', { name: network.name })}
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
            {t(
              '{devices, plural, one {# device} other {# devices}} and their history stay here, and stay at the network.',
              { devices },
            )}
          </li>
          <li>{t('Uplinks that the network still sends are refused at once.')}</li>
          {network.capabilities.callback === 'by_service' && (
            <li>{t('The service takes its callback away from the network.')}</li>
          )}
          {calls > 0 && (
            <li>
              {t(
                '{calls, plural, one {# call} other {# calls}} to the network wait for another account.',
                { calls },
              )}
            </li>
          )}
          {quarantined > 0 && (
            <li>
              {t(
                '{quarantined, plural, one {# quarantined message} other {# quarantined messages}} can no longer be looked at.',
                { quarantined },
              )}
            </li>
          )}
          <li>{t('The stored credentials are deleted: to connect again, enter them again.')}</li>
        </ul>
      </Confirm>
    </div>
  )
}
