import { Modal, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { call } from '../api/client.ts'
import type { Schemas } from '../api/generated.ts'
import { t } from '../languages/text.ts'
import { useMay } from '../session/session.ts'
import { ActionButton } from '../ui/action-button.tsx'
import { Confirm } from '../ui/confirm.tsx'
import { Form } from '../ui/form.tsx'
import { tellSuccess } from '../ui/notices.tsx'
import { Time } from '../ui/time.tsx'
import { addressOfPhoto, refreshPhotos } from './photo-requests.ts'
import classes from './photos.module.css'
import { useImage } from './use-image.ts'

interface PhotoDialogProps {
  device: string
  photo: Schemas['DevicePhoto']
  name: string
  onClose: () => void
}

/** One photo as large as the window allows, with its caption. */
export function PhotoDialog({ device, photo, name, onClose }: PhotoDialogProps) {
  const [caption, setCaption] = useState(photo.caption ?? '')
  const [isDeleting, setDeleting] = useState(false)
  const image = useImage(addressOfPhoto(device, photo.id, 'full'))
  const may = useMay('manage_devices')
  const path = { device_id: device, photo_id: String(photo.id) }
  const save = async () => {
    const body = { caption: caption.trim() || null }
    await call('PATCH /devices/{device_id}/photos/{photo_id}', { path, body })
    await refreshPhotos(device)
    tellSuccess(t('Caption saved.'))
    onClose()
  }
  const remove = async () => {
    await call('DELETE /devices/{device_id}/photos/{photo_id}', { path })
    await refreshPhotos(device)
  }
  return (
    <Modal opened onClose={onClose} size="lg" title={name}>
      <Stack gap="sm">
        {image !== undefined && <img className={classes.large} src={image} alt={name} />}
        <Text size="sm" c="dimmed">
          {photo.user_name}, <Time value={photo.created_at} />
        </Text>
        {may && (
          <Form action={t('Save caption')} needs="manage_devices" onSubmit={save}>
            {(errorOf) => (
              <TextInput
                label={t('Caption')}
                placeholder={t('Behind the left door of the cabinet')}
                maxLength={255}
                value={caption}
                onChange={(event) => setCaption(event.currentTarget.value)}
                error={errorOf('caption')}
              />
            )}
          </Form>
        )}
        {may && (
          <ActionButton
            variant="default"
            needs="manage_devices"
            w="fit-content"
            onClick={() => setDeleting(true)}
          >
            {t('Delete this photo')}
          </ActionButton>
        )}
        <Confirm
          opened={isDeleting}
          title={t('Delete {name}?', { name })}
          action={t('Delete photo')}
          onConfirm={remove}
          onClose={() => setDeleting(false)}
        >
          {t('It cannot be brought back.')}
        </Confirm>
      </Stack>
    </Modal>
  )
}
