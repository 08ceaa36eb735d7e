import { NumberInput, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useState } from 'react'
import { useAction } from '../../../api/hooks.ts'
import { t } from '../../../languages/text.ts'
import { useSession } from '../../../session/session.ts'
import { FormDialog } from '../../../ui/form-dialog.tsx'
import { tellSuccess } from '../../../ui/notices.tsx'
import type { Below } from './organizations-below.tsx'

interface DialogProps {
  below: Below
  onClose: () => void
}

/** The organization of the operator, which limits the requests of its tenants. */
const operator = 1

export function LimitsDialog({ below, onClose }: DialogProps) {
  const { organization } = useSession()
  const { devices, organizations, requests_per_minute } = below.limits
  const form = useForm<Record<string, number | string>>({
    initialValues: { devices, organizations, requests_per_minute: requests_per_minute ?? '' },
  })
  const change = useAction('PATCH /organizations/{id}/limits', {
    invalidates: ['GET /organizations'],
  })
  const save = async () => {
    const { devices: most, organizations: below_it, requests_per_minute: requests } = form.values
    const body = {
      devices: Number(most),
      organizations: Number(below_it),
      ...(organization.id === operator
        ? { requests_per_minute: requests === '' ? null : Number(requests) }
        : {}),
    }
    await change.mutateAsync({ path: { id: String(below.id) }, body })
    tellSuccess(t('The limits of {name} are set.', { name: below.name }))
    onClose()
  }
  return (
    <FormDialog
      title={t('Limits of {name}', { name: below.name })}
      action={t('Save')}
      onSubmit={save}
      onClose={onClose}
    >
      {(errorOf) => (
        <>
          <NumberInput
            label={t('Devices')}
            required
            min={0}
            {...form.getInputProps('devices')}
            error={errorOf('devices')}
          />
          <NumberInput
            label={t('Organizations below it')}
            required
            min={0}
            max={1000}
            {...form.getInputProps('organizations')}
            error={errorOf('organizations')}
          />
          {organization.id === operator && (
            <NumberInput
              label={t('Requests a minute')}
              description={t(
                'For all its members and API keys together. Leave empty for the default.',
              )}
              min={1}
              {...form.getInputProps('requests_per_minute')}
              error={errorOf('requests_per_minute')}
            />
          )}
        </>
      )}
    </FormDialog>
  )
}

export function DeleteOrganizationDialog({ below, onClose }: DialogProps) {
  const [name, setName] = useState('')
  const remove = useAction('DELETE /organizations/{id}', {
    invalidates: ['GET /organizations', 'GET /organization/deletions', 'GET /auth/session'],
  })
  const removeNow = async () => {
    await remove.mutateAsync({ path: { id: String(below.id) }, body: { name } })
    tellSuccess(t('{name} is being deleted.', { name: below.name }))
    onClose()
  }
  return (
    <FormDialog
      title={t('Delete {name}?', { name: below.name })}
      action="Delete"
      isDangerous
      onSubmit={removeNow}
      onClose={onClose}
    >
      {(errorOf) => (
        <>
          <Text size="sm">
            {t(
              'This deletes everything in it and below it: devices, uplinks, members and settings. It accepts nothing from now on. You cannot undo this.',
            )}
          </Text>
          <TextInput
            label={t('Type {name} to confirm', { name: below.name })}
            required
            data-autofocus
            autoComplete="off"
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
            error={errorOf('name')}
          />
        </>
      )}
    </FormDialog>
  )
}
