import { Button, Group, Modal, NumberInput, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useState } from 'react'
import { useAction } from '../../../api/hooks.ts'
import { useSession } from '../../../session/session.ts'
import { FormButtons } from '../../../ui/form-buttons.tsx'
import { ErrorNotice, tellSuccess } from '../../../ui/notices.tsx'
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
    onSuccess: () => {
      tellSuccess(`The limits of ${below.name} are set.`)
      onClose()
    },
    onError: ({ errors }) => form.setErrors(errors),
  })
  const save = (values: Record<string, number | string>) => {
    const requests = values.requests_per_minute
    const body = {
      devices: Number(values.devices),
      organizations: Number(values.organizations),
      ...(organization.id === operator
        ? { requests_per_minute: requests === '' ? null : Number(requests) }
        : {}),
    }
    change.mutate({ path: { id: String(below.id) }, body })
  }
  const hasOwnPlace = change.error && Object.keys(change.error.errors).length > 0
  return (
    <Modal opened onClose={onClose} title={`Limits of ${below.name}`}>
      <form onSubmit={form.onSubmit(save)}>
        <Stack>
          <NumberInput label="Devices" required min={0} {...form.getInputProps('devices')} />
          <NumberInput
            label="Organizations below it"
            required
            min={0}
            max={1000}
            {...form.getInputProps('organizations')}
          />
          {organization.id === operator && (
            <NumberInput
              label="Requests a minute"
              description="For all its members and API keys together. Leave empty for the default."
              min={1}
              {...form.getInputProps('requests_per_minute')}
            />
          )}
          {change.error && !hasOwnPlace && <ErrorNotice error={change.error} />}
          <FormButtons action="Save" isBusy={change.isPending} onCancel={onClose} />
        </Stack>
      </form>
    </Modal>
  )
}

export function DeleteOrganizationDialog({ below, onClose }: DialogProps) {
  const [name, setName] = useState('')
  const remove = useAction('DELETE /organizations/{id}', {
    invalidates: ['GET /organizations', 'GET /organization/deletions', 'GET /auth/session'],
    onSuccess: () => {
      tellSuccess(`${below.name} is being deleted.`)
      onClose()
    },
  })
  return (
    <Modal opened onClose={onClose} title={`Delete ${below.name}?`}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          remove.mutate({ path: { id: String(below.id) }, body: { name } })
        }}
      >
        <Stack>
          <Text size="sm">
            This deletes everything in it and below it: devices, uplinks, members and settings. It
            accepts nothing from now on. You cannot undo this.
          </Text>
          <TextInput
            label={`Type ${below.name} to confirm`}
            required
            data-autofocus
            autoComplete="off"
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
            error={remove.error?.errors.name?.[0]}
          />
          {remove.error && !remove.error.errors.name && <ErrorNotice error={remove.error} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" color="red" loading={remove.isPending}>
              Delete
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
