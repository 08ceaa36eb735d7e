import { CloseButton, TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'

/** Milliseconds without typing after which the search begins. */
const pause = 250

interface SearchFieldProps {
  value: string
  onChange: (value: string) => void
}

/** Searches while one types. The address, and so back and forward, can change it too. */
export function SearchField({ value, onChange }: SearchFieldProps) {
  const [text, setText] = useState(value)
  const sent = useRef(value)
  useEffect(() => {
    if (value !== sent.current) setText(value)
    sent.current = value
  }, [value])
  useEffect(() => {
    const wanted = text.trim()
    if (wanted === sent.current) return
    const timer = setTimeout(() => {
      sent.current = wanted
      onChange(wanted)
    }, pause)
    return () => clearTimeout(timer)
  }, [text, onChange])
  return (
    <TextInput
      type="search"
      aria-label="Search devices"
      placeholder="Name or DevEUI"
      value={text}
      onChange={(event) => setText(event.currentTarget.value)}
      leftSection={<IconSearch size={16} aria-hidden />}
      rightSection={
        text && <CloseButton size="sm" aria-label="Clear the search" onClick={() => setText('')} />
      }
      maxLength={255}
      w={{ base: '100%', xs: 260 }}
    />
  )
}
