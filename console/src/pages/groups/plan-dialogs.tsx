import { Text, Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import { call } from '../../api/client.ts'
import { queryClient } from '../../api/hooks.ts'
import { t } from '../../languages/text.ts'
import { toBase64 } from '../../photos/prepare-photo.ts'
import { PlanFile } from '../../plans/plan-file.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { tellSuccess } from '../../ui/notices.tsx'
import { type GroupDetails, refreshGroups } from './use-groups.ts'

interface PlanDialogProps {
  group: { id: number; name: string }
  /** The plan that is changed; a new one without it. */
  plan?: { id: number; name: string }
  onClose: () => void
  onSaved?: (id: number) => void
}

/** Adds a floor plan, or gives one another name or image. */
export function PlanDialog({ group, plan, onClose, onSaved }: PlanDialogProps) {
  const [name, setName] = useState(plan?.name ?? '')
  const [picture, setPicture] = useState<Blob>()
  const save = async () => {
    const image = picture && (await toBase64(picture))
    const { data } = plan
      ? await call('PATCH /floor-plans/{plan_id}', {
          path: { plan_id: String(plan.id) },
          body: { name, ...(image !== undefined && { image }) },
        })
      : await call('POST /floor-plans', { body: { name, group_id: group.id, image: image ?? '' } })
    for (const operation of ['GET /floor-plans', 'GET /floor-plans/{plan_id}']) {
      void queryClient.invalidateQueries({ queryKey: [operation] })
    }
    tellSuccess(t('{name} is saved.', { name: data.name }))
    onSaved?.(data.id)
    onClose()
  }
  return (
    <FormDialog
      title={
        plan
          ? t('Change {name}', { name: plan.name })
          : t('New floor plan of {name}', { name: group.name })
      }
      action={t('Save floor plan')}
      needs="manage_widget_dashboard"
      blockedBy={!plan && !picture ? t('Choose a PNG, JPEG, SVG or PDF file.') : undefined}
      onSubmit={save}
      onClose={onClose}
    >
      {(errorOf) => (
        <>
          <TextInput
            label={t('Name')}
            placeholder={t('Ground floor')}
            maxLength={100}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
            error={errorOf('name')}
            data-autofocus
          />
          <PlanFile
            label={plan ? t('Choose another image') : t('Choose the image')}
            onChange={(next, title) => {
              setPicture(next)
              if (next) setName((now) => now || title.slice(0, 100))
            }}
          />
          {errorOf('image') && (
            <Text size="sm" c="red" role="alert">
              {errorOf('image')}
            </Text>
          )}
        </>
      )}
    </FormDialog>
  )
}

export function AddressDialog({ group, onClose }: { group: GroupDetails; onClose: () => void }) {
  const [address, setAddress] = useState(group.address ?? '')
  const save = async () => {
    await call('PATCH /fleet/groups/{group_id}', {
      path: { group_id: String(group.id) },
      body: { address: address.trim() || null },
    })
    await refreshGroups()
    onClose()
  }
  return (
    <FormDialog
      title={t('Address of {name}', { name: group.name })}
      action={t('Save address')}
      needs="manage_groups"
      onSubmit={save}
      onClose={onClose}
    >
      {(errorOf) => (
        <Textarea
          label={t('Address')}
          autosize
          minRows={2}
          maxLength={500}
          value={address}
          onChange={(event) => setAddress(event.currentTarget.value)}
          error={errorOf('address')}
          data-autofocus
        />
      )}
    </FormDialog>
  )
}
