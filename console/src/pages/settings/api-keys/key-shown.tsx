import { Code, Text } from '@mantine/core'
import { ShownOnce } from '../../../ui/form-dialog.tsx'

export function KeyShown({ value, onClose }: { value: string; onClose: () => void }) {
  return (
    <ShownOnce label="API key" value={value} onClose={onClose}>
      <Text size="sm">
        Your program sends this key with each request, as <Code>Authorization: Bearer</Code>. It is
        shown only now: put it where the program keeps its secrets.
      </Text>
    </ShownOnce>
  )
}
