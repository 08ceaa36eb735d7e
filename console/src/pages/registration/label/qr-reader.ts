import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader'
import wasmAddress from 'zxing-wasm/reader/zxing_reader.wasm?url'

/** The reader's WebAssembly comes from this host; by itself it would ask another one. */
prepareZXingModule({ overrides: { locateFile: () => wasmAddress } })

/** Reads all QR codes of a picture. */
export async function readCodes(picture: Blob | ImageData): Promise<string[]> {
  const found = await readBarcodes(picture, {
    formats: ['QRCode', 'MicroQRCode', 'DataMatrix'],
    tryHarder: true,
    maxNumberOfSymbols: 8,
  })
  return found.filter(({ isValid }) => isValid).map(({ text }) => text)
}
