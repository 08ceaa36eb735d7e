import { CloseButton, TextInput, type TextInputProps } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { t } from '../languages/text.ts'

/** Milliseconds without typing after which the search begins. */
const pause = 250

interface SearchFieldProps
  extends Omit<TextInputProps, 'value' | 'onChange' | 'type' | 'leftSection' | 'rightSection'> {
  value: string
  /** Called with the text without spaces around it. */
  onSearch: (text: string) => void
}

/** Searches while one types. The address, and so back and forward, can change the text too. */
export function SearchField({ value, onSearch, ...input }: SearchFieldProps) {
  const [text, setText] = useState(value)
  const sent = useRef(value)
  useEffect(() => {
    if (value !== sent.current) setText(value)
    sent.current = value
  }, [value])
  const search = useEffectEvent(onSearch)
  useEffect(() => {
    const wanted = text.trim()
    if (wanted === sent.current) return
    const timer = setTimeout(() => {
      sent.current = wanted
      search(wanted)
    }, pause)
    return () => clearTimeout(timer)
  }, [text])
  return (
    <TextInput
      maxLength={255}
      {...input}
      type="search"
      value={text}
      onChange={(event) => setText(event.currentTarget.value)}
      leftSection={<IconSearch size={input.size === 'xs' ? 14 : 16} aria-hidden />}
      rightSection={
        text && (
          <CloseButton size="sm" aria-label={t('Clear the search')} onClick={() => setText('')} />
        )
      }
    />
  )
}
