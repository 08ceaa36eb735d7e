import { useState } from 'react'
import { useApi } from '../../../api/hooks.ts'
import { t } from '../../../languages/text.ts'
import { TargetFields } from '../../../moves/target-fields.tsx'
import { startValues, type TargetValues, toTarget } from '../../../moves/target-form.ts'
import { Form } from '../../../ui/form.tsx'
import { ErrorNotice } from '../../../ui/notices.tsx'
import { LoadingLines } from '../../../ui/page.tsx'
import { type Chosen, startJob } from './start-job.ts'

interface NetworkDialogProps {
  chosen: Chosen
  onStarted: (jobId: number) => void
  onClose: () => void
}

/** Moves the chosen devices to another network. */
export function NetworkDialog({ chosen, onStarted, onClose }: NetworkDialogProps) {
  const [values, setValues] = useState<TargetValues>(startValues)
  const { data, error: unread, refetch } = useApi('GET /fleet/networks', {})
  if (unread) return <ErrorNotice error={unread} retry={() => void refetch()} />
  if (!data) return <LoadingLines />
  const networks = data.data.filter(
    ({ id, register_methods }) => id !== null && register_methods.length > 0,
  )
  const network = networks.find(({ key }) => key === values.network)
  const begin = async () => {
    if (!network) return
    const target = toTarget(network, values)
    onStarted(await startJob({ kind: 'change_network', target }, chosen, () => {}))
  }
  return (
    <Form
      action={t('Move {count, plural, one {# device} other {# devices}}', {
        count: chosen.ids.length,
      })}
      blockedBy={network ? undefined : t('Choose a network.')}
      onSubmit={begin}
      onClose={onClose}
    >
      {(errorOf) => (
        <TargetFields
          networks={networks}
          values={values}
          errorOf={errorOf}
          onChange={(changes) => setValues((before) => ({ ...before, ...changes }))}
        />
      )}
    </Form>
  )
}
