import { accountInQuery, keyOfAccount } from '../../accounts/account-key.ts'
import { useAction } from '../../api/hooks.ts'
import { t } from '../../languages/text.ts'
import { ActionButton } from '../../ui/action-button.tsx'
import { tellFailure, tellSuccess } from '../../ui/notices.tsx'
import { type DeviceRecord, reasonOf } from './use-device.ts'

/** Reads what the network has, and compares it with what is here. */
export function CompareButton({ device }: { device: DeviceRecord }) {
  const compare = useReconcile(t('The comparison failed'))
  const run = () =>
    compare.mutate(
      { path: { network: device.network.key }, body: methodOf(device) },
      { onSuccess: () => tellSuccess(t('Compared with the network.')) },
    )
  return (
    <ActionButton
      size="xs"
      variant="default"
      needs="manage_account"
      onClick={run}
      loading={compare.isPending}
    >
      {t('Compare now')}
    </ActionButton>
  )
}

export function methodOf(device: DeviceRecord) {
  return accountInQuery(keyOfAccount(device))
}

export function useReconcile(title: string) {
  return useAction('POST /network-accounts/{network}/reconcile', {
    invalidates: [
      'GET /fleet/devices/{device_id}',
      'GET /fleet/devices/{device_id}/silence',
      'GET /network-accounts/{network}/reconcile',
    ],
    onError: (error) => tellFailure(title, reasonOf(error)),
  })
}
