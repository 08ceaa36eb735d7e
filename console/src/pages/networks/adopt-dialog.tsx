import { Text } from '@mantine/core'
import { useState } from 'react'
import { type AccountKey, accountInQuery } from '../../accounts/account-key.ts'
import { useAction } from '../../api/hooks.ts'
import { t } from '../../languages/text.ts'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { tellSuccess } from '../../ui/notices.tsx'
import type { FleetNetwork } from './network-words.ts'
import { reconcileInvalidates } from './reconcile-words.ts'
import { TypeSelect } from './type-select.tsx'

interface AdoptDialogProps {
  network: FleetNetwork
  method: AccountKey
  eui: string
  onClose: () => void
}

/** Adopts one device that the network has, as a type. */
export function AdoptDialog({ network, method, eui, onClose }: AdoptDialogProps) {
  const [typeId, setTypeId] = useState<number>()
  const adopt = useAction('POST /network-accounts/{network}/reconcile', {
    invalidates: reconcileInvalidates,
  })
  const send = async () => {
    const { data } = await adopt.mutateAsync({
      path: { network: network.key },
      body: {
        ...accountInQuery(method),
        rows: [{ kind: 'device', eui, action: 'adopt', device_type: typeId }],
      },
    })
    const result = data.rows[0]?.result
    if (!result?.status) throw new Error(result?.message ?? t('The device is not adopted.'))
    tellSuccess(t('{eui} is adopted. Its messages are being stored.', { eui }))
    onClose()
  }
  return (
    <FormDialog
      title={t('Adopt {eui}', { eui })}
      action={t('Adopt')}
      blockedBy={typeId === undefined ? t('Choose the type of the device.') : undefined}
      onSubmit={send}
      onClose={onClose}
    >
      <Text size="sm">
        {t(
          'The device is recorded here as {name} has it, without a change there, and its quarantined messages become uplinks.',
          { name: network.name },
        )}
      </Text>
      <TypeSelect label={t('Type of the device')} value={typeId} onChange={setTypeId} />
    </FormDialog>
  )
}
