import { Textarea, TextInput } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { ApiError } from '../../api/client.ts'
import type { Schemas } from '../../api/generated.ts'
import { useAction } from '../../api/hooks.ts'
import { t } from '../../languages/text.ts'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { tellSuccess } from '../../ui/notices.tsx'

function useCreate() {
  const navigate = useNavigate()
  const create = useAction('POST /dashboards', { invalidates: ['GET /dashboards'] })
  return async (body: Schemas['CreateDashboardRequest'], edit: 'yes' | undefined) => {
    const { data } = await create.mutateAsync({ body })
    await navigate({
      to: '/dashboards/$dashboardId',
      params: { dashboardId: data.id },
      search: { edit },
    })
  }
}

/** Begins with an empty page. */
export function NewDialog({ onClose }: { onClose: () => void }) {
  const create = useCreate()
  const [name, setName] = useState('')
  return (
    <FormDialog
      title={t('New dashboard')}
      action={t('Create')}
      onSubmit={() => create({ name, widgets: [] }, 'yes')}
      onClose={onClose}
    >
      {(errorOf) => (
        <TextInput
          label={t('Name')}
          required
          data-autofocus
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          error={errorOf('name')}
        />
      )}
    </FormDialog>
  )
}

/** Takes what was exported, or written by hand. */
export function ImportDialog({ onClose }: { onClose: () => void }) {
  const create = useCreate()
  const [text, setText] = useState('')
  const [faults, setFaults] = useState<string[]>([])
  const send = async () => {
    setFaults([])
    try {
      await create(readJson(text), undefined)
      tellSuccess(t('Dashboard imported.'))
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      const named = Object.entries(error.errors).map(([path, all]) => `${path}: ${all.join(' ')}`)
      if (named.length === 0) throw error
      setFaults(named)
    }
  }
  return (
    <FormDialog
      title={t('Import a dashboard')}
      size="lg"
      action={t('Import')}
      onSubmit={send}
      onClose={onClose}
    >
      <Textarea
        label="JSON"
        description={t('As exported by “More, Export as JSON”. Paste it, or drop a file here.')}
        required
        data-autofocus
        autosize
        minRows={8}
        maxRows={20}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        onDrop={(event) => {
          const [file] = event.dataTransfer.files
          if (!file) return
          event.preventDefault()
          void file.text().then(setText)
        }}
        error={
          faults.length === 0 ? undefined : faults.map((fault) => <div key={fault}>{fault}</div>)
        }
      />
    </FormDialog>
  )
}

function readJson(text: string): Schemas['CreateDashboardRequest'] {
  try {
    return JSON.parse(text) as Schemas['CreateDashboardRequest']
  } catch (error) {
    throw new Error(
      t('This is not JSON: {message}', {
        message: error instanceof Error ? error.message : String(error),
      }),
    )
  }
}
