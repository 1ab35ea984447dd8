// What to report about an item: the error that rejects it, and warnings about dropped values.

export type ItemErrorCode =
  | 'invalid_json'
  | 'invalid_item'
  | 'item_too_large'
  | 'missing_id'
  | 'invalid_id'
  | 'missing_title'
  | 'invalid_price'

export type ItemWarningCode =
  | 'attributes_left_out'
  | 'availability_unknown'
  | 'currency_missing'
  | 'duplicate_id'
  | 'price_without_number'
  | 'text_cut'
  | 'unreadable_url'
  | 'variants_left_out'

export interface Remark<Code extends string> {
  code: Code
  message: string
}

export interface Remarks {
  refusal: Remark<ItemErrorCode> | null
  warnings: Remark<ItemWarningCode>[]
  /** Only the first error counts. */
  refuse(code: ItemErrorCode, message: string): void
  warn(code: ItemWarningCode, message: string): void
}

export function makeRemarks(): Remarks {
  const remarks: Remarks = {
    refusal: null,
    warnings: [],
    refuse(code, message) {
      remarks.refusal ??= { code, message }
    },
    warn(code, message) {
      if (!remarks.warnings.some((warning) => warning.code === code)) remarks.warnings.push({ code, message })
    },
  }
  return remarks
}
