import { Button, FileButton, Group, Text } from '@mantine/core'
import { IconCamera } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { Schemas } from '../api/generated.ts'
import { useApi } from '../api/hooks.ts'
import { t } from '../languages/text.ts'
import { useMay } from '../session/session.ts'
import { ErrorNotice } from '../ui/notices.tsx'
import { PhotoDialog } from './photo-dialog.tsx'
import { addressOfPhoto, sendPhoto } from './photo-requests.ts'
import classes from './photos.module.css'
import { preparePhoto } from './prepare-photo.ts'
import { useImage } from './use-image.ts'

type Photo = Schemas['DevicePhoto']

/** The photos of a device, and how to add one. */
export function Photos({ device }: { device: string }) {
  const { data, error } = useApi('GET /devices/{device_id}/photos', { path: { device_id: device } })
  const [opened, setOpened] = useState<number>()
  const may = useMay('manage_devices')
  const photos = data?.data ?? []
  const shown = photos.find(({ id }) => id === opened)
  return (
    <>
      {photos.length > 0 && (
        <ul className={classes.photos}>
          {photos.map((photo, at) => (
            <li key={photo.id}>
              <button
                type="button"
                className={classes.photo}
                aria-label={nameOf(photo, at)}
                onClick={() => setOpened(photo.id)}
              >
                <Thumbnail address={addressOfPhoto(device, photo.id, 'thumbnail')} />
              </button>
            </li>
          ))}
        </ul>
      )}
      {data && photos.length === 0 && (
        <Text size="sm" c="dimmed">
          {t('No photos yet: the place, the meter, the way there.')}
        </Text>
      )}
      {error && <ErrorNotice error={error} />}
      {may && <AddPhoto device={device} />}
      {shown && (
        <PhotoDialog
          device={device}
          photo={shown}
          name={nameOf(shown, photos.indexOf(shown))}
          onClose={() => setOpened(undefined)}
        />
      )}
    </>
  )
}

function nameOf({ caption }: Photo, at: number): string {
  return caption ?? t('Photo {at}', { at: at + 1 })
}

function Thumbnail({ address }: { address: string }) {
  const image = useImage(address)
  return image === undefined ? null : <img className={classes.image} src={image} alt="" />
}

/** Phones offer their camera for it. */
function AddPhoto({ device }: { device: string }) {
  const add = useMutation({
    mutationFn: async (files: File[]) => {
      for (const file of files) await sendPhoto(device, await preparePhoto(file))
    },
  })
  return (
    <Group gap="sm">
      <FileButton accept="image/*" multiple onChange={(files) => add.mutate(files)}>
        {(props) => (
          <Button
            {...props}
            size="compact-sm"
            variant="default"
            leftSection={<IconCamera size={16} aria-hidden />}
            loading={add.isPending}
          >
            {t('Add a photo')}
          </Button>
        )}
      </FileButton>
      {add.error && <ErrorNotice error={add.error} />}
    </Group>
  )
}
