import { Button, FileButton, Group, Input, Stack } from '@mantine/core'
import { useState } from 'react'
import { t } from '../../languages/text.ts'
import { drawSmaller } from '../../photos/draw-smaller.ts'
import classes from './widget.module.css'

interface PictureFieldProps {
  value: string | undefined
  onChange: (image: string) => void
}

/** A picture as it fits into a dashboard. A large one is made smaller here. */
export function PictureField({ value, onChange }: PictureFieldProps) {
  const [fault, setFault] = useState<string>()
  const read = async (file: File | null) => {
    if (!file) return
    setFault(undefined)
    try {
      onChange(await shrink(file))
    } catch {
      setFault(t('This is not a picture that the browser can read. Choose a PNG or JPEG file.'))
    }
  }
  return (
    <Stack gap="xs">
      <Input.Wrapper
        label={t('Picture')}
        description={t('A large one is made smaller. Nothing but the picture itself is kept.')}
        required
        error={fault}
        labelElement="div"
      >
        <Group mt="xs">
          <FileButton accept="image/*" onChange={(file) => void read(file)}>
            {(button) => (
              <Button {...button} variant="default">
                {value === undefined ? t('Choose a file') : t('Choose another file')}
              </Button>
            )}
          </FileButton>
        </Group>
      </Input.Wrapper>
      {value !== undefined && <img className={classes.chosen} src={value} alt={t('As chosen')} />}
    </Stack>
  )
}

/** As the service takes it. */
const longest = 120_000
const sides = [1600, 1200, 900, 640, 400]

/**
 * As large as it fits. Drawings stay sharp where they can; photos would be too large as PNG. Drawing it
 * turns it as the camera was held, and drops the data of the camera.
 */
async function shrink(file: File): Promise<string> {
  const bitmap = await createImageBitmap(file)
  try {
    const kinds = file.type === 'image/jpeg' ? ['image/jpeg'] : ['image/png', 'image/jpeg']
    for (const kind of kinds) {
      for (const side of kind === 'image/png' ? sides.slice(0, 3) : sides) {
        const address = drawSmaller(bitmap, side, kind === 'image/jpeg').toDataURL(kind, 0.8)
        if (address.length <= longest) return address
      }
    }
    throw new Error(t('It does not fit.'))
  } finally {
    bitmap.close()
  }
}
