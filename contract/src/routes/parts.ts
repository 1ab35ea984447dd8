// Shared by rows of the route table.
import { Id, Params } from '../schema.ts'

export const ofWorkspace = Params({ workspaceId: Id })
export const ofMember = Params({ workspaceId: Id, memberId: Id })
export const ofToken = Params({ workspaceId: Id, memberId: Id, tokenId: Id })
export const ofInvitation = Params({ workspaceId: Id, invitationId: Id })
export const ofAccountSession = Params({ sessionId: Id })
export const ofBot = Params({ botId: Id })
export const ofDocument = Params({ botId: Id, documentId: Id })
export const ofAnswer = Params({ botId: Id, answerId: Id })
export const ofProduct = Params({ botId: Id, productId: Id })
export const ofCrawl = Params({ botId: Id, crawlId: Id })
export const ofFeed = Params({ botId: Id, feedId: Id })
export const ofFile = Params({ botId: Id, fileId: Id })
export const ofKey = Params({ botId: Id, keyId: Id })
export const ofWebhook = Params({ botId: Id, webhookId: Id })
export const ofChannel = Params({ botId: Id, channelId: Id })
export const ofConversation = Params({ botId: Id, conversationId: Id })
export const ofAttachment = Params({ botId: Id, conversationId: Id, attachmentId: Id })
export const ofCannedReply = Params({ workspaceId: Id, replyId: Id })
export const ofLead = Params({ botId: Id, leadId: Id })
export const ofVisitor = Params({ botId: Id, visitorId: Id })
export const ofDelivery = Params({ botId: Id, deliveryId: Id })

export const input = ['invalid_json', 'validation_failed', 'payload_too_large', 'unsupported_media_type'] as const
/** The last one applies to session cookies only. */
export const manage = ['invalid_management_token', 'role_required', 'cross_site_request'] as const
/** Needs a confirmed session; the management token of a member is not enough. */
export const confirmed = ['reauthentication_required'] as const
export const owner = [...manage, 'not_found'] as const
