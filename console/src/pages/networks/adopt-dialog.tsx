import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { type AccountKey, accountInQuery } from '../../accounts/account-key.ts'
import { useAction } from '../../api/hooks.ts'
import { ErrorNotice, tellSuccess } from '../../ui/notices.tsx'
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
  const [refusal, setRefusal] = useState<string>()
  const adopt = useAction('POST /network-accounts/{network}/reconcile', {
    invalidates: reconcileInvalidates,
    onSuccess: ({ data }) => {
      const result = data.rows[0]?.result
      if (!result?.status) return setRefusal(result?.message ?? 'The device is not adopted.')
      tellSuccess(`${eui} is adopted. Its messages are being stored.`)
      onClose()
    },
  })
  const send = () => {
    setRefusal(undefined)
    adopt.mutate({
      path: { network: network.key },
      body: {
        ...accountInQuery(method),
        rows: [{ kind: 'device', eui, action: 'adopt', device_type: typeId }],
      },
    })
  }
  return (
    <Modal opened onClose={onClose} title={`Adopt ${eui}`}>
      <Stack>
        <Text size="sm">
          The device is recorded here as {network.name} has it, without a change there, and its
          quarantined messages become uplinks.
        </Text>
        <TypeSelect label="Type of the device" value={typeId} onChange={setTypeId} />
        {refusal && <ErrorNotice error={new Error(refusal)} />}
        {adopt.error && <ErrorNotice error={adopt.error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button loading={adopt.isPending} disabled={typeId === undefined} onClick={send}>
            Adopt
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
