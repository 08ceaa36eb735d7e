import { Button, FileButton, Group, Input, Text } from '@mantine/core'
import { IconUpload } from '@tabler/icons-react'
import { t } from '../../../languages/text.ts'

/** Bytes: in base64 it fits into a request. */
const largest = 3_500_000

interface ZipFieldProps {
  label: string
  file: File | null
  error: string | undefined
  onChange: (file: File | null) => void
}

export function ZipField({ label, file, error, onChange }: ZipFieldProps) {
  return (
    <div>
      <Group gap="xs">
        <FileButton accept=".zip,application/zip" onChange={onChange}>
          {(props) => (
            <Button {...props} variant="default" leftSection={<IconUpload size={16} aria-hidden />}>
              {label}
            </Button>
          )}
        </FileButton>
        <Text size="sm" c="dimmed" role="status" style={{ overflowWrap: 'anywhere' }}>
          {file?.name ?? t('Up to 3.5 MB.')}
        </Text>
      </Group>
      {error !== undefined && <Input.Error mt={4}>{error}</Input.Error>}
    </div>
  )
}

/** @throws Error if it is too large for a request. */
export async function toBase64(file: File): Promise<string> {
  if (file.size > largest) throw new Error(t('{name} is larger than 3.5 MB.', { name: file.name }))
  const bytes = new Uint8Array(await file.arrayBuffer())
  let text = ''
  for (let start = 0; start < bytes.length; start += 0x8000) {
    text += String.fromCharCode(...bytes.subarray(start, start + 0x8000))
  }
  return btoa(text)
}
