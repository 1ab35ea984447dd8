// The index by endpoint and state also serves lookups by endpoint: one index less to write with every mirrored turn.
export const fewerDeliveryIndexes = ['DROP INDEX deliveries_by_webhook']
