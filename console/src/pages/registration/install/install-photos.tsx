import { Button, FileButton, Group, Text } from '@mantine/core'
import { IconCamera } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { t } from '../../../languages/text.ts'
import classes from '../../../photos/photos.module.css'
import { preparePhoto } from '../../../photos/prepare-photo.ts'
import { ErrorNotice } from '../../../ui/notices.tsx'
import type { PartProps } from './current-device.tsx'

/** Takes photos with the camera of the phone. They are kept until they are sent. */
export function InstallPhotos({ install, onChange }: PartProps) {
  const { photos } = install
  const waiting = photos.filter(({ image }) => image !== undefined).length
  const add = useMutation({
    networkMode: 'always',
    mutationFn: async (file: File) => {
      const photo = { id: crypto.randomUUID(), ...(await preparePhoto(file)) }
      onChange((now) => ({ photos: [...now.photos, photo] }))
    },
  })
  return (
    <>
      {photos.length > 0 && (
        <ul className={classes.photos}>
          {photos.map(({ id, thumbnail }, at) => (
            <li key={id}>
              <KeptImage blob={thumbnail} name={t('Photo {at}', { at: at + 1 })} />
            </li>
          ))}
        </ul>
      )}
      <Group gap="sm">
        <FileButton
          accept="image/*"
          capture="environment"
          onChange={(file) => file && add.mutate(file)}
        >
          {(props) => (
            <Button
              {...props}
              variant="default"
              leftSection={<IconCamera size={16} aria-hidden />}
              loading={add.isPending}
            >
              {t('Take a photo')}
            </Button>
          )}
        </FileButton>
        <Text size="sm" role="status">
          {photos.length > 0 &&
            t('{count, plural, one {# photo} other {# photos}} sent', {
              count: photos.length - waiting,
            })}
          {waiting > 0 && t(', {waiting} kept on this phone', { waiting })}
        </Text>
      </Group>
      {add.error && <ErrorNotice error={add.error} />}
    </>
  )
}

function KeptImage({ blob, name }: { blob: Blob; name: string }) {
  const [address, setAddress] = useState<string>()
  useEffect(() => {
    const made = URL.createObjectURL(blob)
    setAddress(made)
    return () => URL.revokeObjectURL(made)
  }, [blob])
  return (
    <div className={classes.photo}>
      {address !== undefined && <img className={classes.image} src={address} alt={name} />}
    </div>
  )
}
