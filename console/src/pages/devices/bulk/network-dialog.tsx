import { Button, Group, Stack } from '@mantine/core'
import { useState } from 'react'
import { ApiError } from '../../../api/client.ts'
import { useApi } from '../../../api/hooks.ts'
import { TargetFields } from '../../../moves/target-fields.tsx'
import {
  startValues,
  type TargetValues,
  targetFields,
  toTarget,
} from '../../../moves/target-form.ts'
import { ErrorNotice, FormError } from '../../../ui/notices.tsx'
import { countOf } from '../../../ui/numbers.ts'
import { LoadingLines } from '../../../ui/page.tsx'
import { type Chosen, startJob } from './start-job.ts'
import { useStart } from './use-start.ts'

interface NetworkDialogProps {
  chosen: Chosen
  onStarted: (jobId: number) => void
  onClose: () => void
}

/** Moves the chosen devices to another network. */
export function NetworkDialog({ chosen, onStarted, onClose }: NetworkDialogProps) {
  const [values, setValues] = useState<TargetValues>(startValues)
  const { isBusy, error, start } = useStart(onStarted)
  const { data, error: unread, refetch } = useApi('GET /fleet/networks', {})
  if (unread) return <ErrorNotice error={unread} retry={() => void refetch()} />
  if (!data) return <LoadingLines />
  const networks = data.data.filter(
    ({ id, register_methods }) => id !== null && register_methods.length > 0,
  )
  const network = networks.find(({ key }) => key === values.network)
  const begin = () => {
    if (!network) return
    const target = toTarget(network, values)
    void start(() => startJob({ kind: 'change_network', target }, chosen, () => {}))
  }
  return (
    <Stack>
      <TargetFields
        networks={networks}
        values={values}
        errors={error instanceof ApiError ? error.errors : {}}
        onChange={(changes) => setValues((before) => ({ ...before, ...changes }))}
      />
      <FormError error={error} fields={targetFields} />
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button loading={isBusy} disabled={!network} onClick={begin}>
          Move {countOf(chosen.ids.length, 'device')}
        </Button>
      </Group>
    </Stack>
  )
}
