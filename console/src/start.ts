import './ui/mantine.css'
import './ui/font.css'
import './ui/global.css'
import './ui/print.css'
import { firstLanguage } from './languages/choice.ts'
import { loadTexts } from './languages/load.ts'
import { setLanguage } from './languages/text.ts'

// The language is known before any code that has texts.
const language = firstLanguage()
setLanguage(language)
document.documentElement.lang = language
await loadTexts('base')
await import('./main.tsx')
