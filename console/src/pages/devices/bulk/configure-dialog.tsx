import { Button, Group, Stack, Text } from '@mantine/core'
import { useEffect, useState } from 'react'
import { useApi } from '../../../api/hooks.ts'
import { ConfigureForm } from '../../../downlinks/configure-form.tsx'
import { t } from '../../../languages/text.ts'
import { ErrorNotice } from '../../../ui/notices.tsx'
import { LoadingLines } from '../../../ui/page.tsx'
import { type Chosen, type NamedDevice, readChosen, startJob } from './start-job.ts'

interface ConfigureDialogProps {
  chosen: Chosen
  onStarted: (jobId: number) => void
  onClose: () => void
}

/** A configuration has the fields of one type of devices: of several, the reader takes one. */
export function ConfigureDialog({ chosen, onStarted, onClose }: ConfigureDialogProps) {
  const [devices, setDevices] = useState<readonly NamedDevice[]>()
  const [problem, setProblem] = useState<unknown>()
  const [type, setType] = useState<string>()
  useEffect(() => {
    readChosen(chosen.ids, () => {}).then(setDevices, setProblem)
  }, [chosen])
  if (problem !== undefined) return <ErrorNotice error={problem} />
  if (!devices) return <LoadingLines count={5} />
  const byType = Map.groupBy(devices, (device) => device.type)
  const only = byType.size === 1 ? [...byType.keys()][0] : undefined
  const some = byType.get(type ?? only ?? '')
  if (some?.[0]) {
    const isAll = some.length === devices.length
    const part = isAll ? chosen : { ids: some.map(({ id }) => id), all: undefined }
    return <Form chosen={part} first={some[0].eui} onStarted={onStarted} />
  }
  return (
    <Stack>
      <Text size="sm">
        {t(
          'The devices are of {size, plural, one {# type} other {# types}}, and each type has its own settings. Which ones do you want to configure?',
          { size: byType.size },
        )}
      </Text>
      {[...byType].map(([name, { length }]) => (
        <Button key={name} variant="default" onClick={() => setType(name)}>
          {name}: {t('{length, plural, one {# device} other {# devices}}', { length })}
        </Button>
      ))}
      <Group justify="flex-end">
        <Button variant="subtle" onClick={onClose}>
          {t('Cancel')}
        </Button>
      </Group>
    </Stack>
  )
}

function Form(props: { chosen: Chosen; first: string; onStarted: (jobId: number) => void }) {
  const { chosen, first, onStarted } = props
  const parts = { path: { device_id: first } }
  const fields = useApi('GET /devices/{device_id}/configure/fields', parts)
  if (fields.error) return <ErrorNotice error={fields.error} retry={() => void fields.refetch()} />
  if (!fields.data) return <LoadingLines count={5} />
  return (
    <ConfigureForm
      sections={fields.data.data.sections}
      previewDevice={first}
      submitLabel={t('Configure {count, plural, one {# device} other {# devices}}', {
        count: chosen.ids.length,
      })}
      onSubmit={async (configuration) => {
        const settings = { kind: 'configure', config_field: configuration } as const
        onStarted(await startJob(settings, chosen, () => {}))
      }}
    />
  )
}
