import { Button, Kbd } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'

export function SearchButton() {
  return (
    <Button
      variant="default"
      size="xs"
      leftSection={<IconSearch size={14} aria-hidden />}
      rightSection={<Kbd size="xs">Ctrl K</Kbd>}
    >
      Search
    </Button>
  )
}
