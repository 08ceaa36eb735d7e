import { Text } from '@mantine/core'
import { EntranceFrame } from '../ui/entrance-frame.tsx'
import { LinkButton } from '../ui/link.tsx'

export function NotFoundPage() {
  return (
    <EntranceFrame title="Page not found">
      <Text size="sm">
        There is no page at this address. It may be mistyped, or from another version of the
        console.
      </Text>
      <LinkButton to="/">Go to the overview</LinkButton>
    </EntranceFrame>
  )
}
