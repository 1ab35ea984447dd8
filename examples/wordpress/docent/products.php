<?php
// WooCommerce products: changes are sent a minute later, the whole catalogue once a day.

if ( ! defined( 'ABSPATH' ) ) {
	exit;
}

const DOCENT_PAGE_SIZE = 200;

function docent_schedule() {
	if ( ! wp_next_scheduled( 'docent_sync_all' ) ) {
		wp_schedule_event( time() + HOUR_IN_SECONDS, 'daily', 'docent_sync_all' );
	}
}

function docent_unschedule() {
	wp_clear_scheduled_hook( 'docent_sync_all' );
	wp_clear_scheduled_hook( 'docent_sync_changed' );
}

foreach ( array( 'woocommerce_new_product', 'woocommerce_update_product', 'woocommerce_product_set_stock' ) as $docent_hook ) {
	add_action( $docent_hook, function ( $product ) {
		docent_note_change( is_object( $product ) ? $product->get_id() : (int) $product );
	} );
}
foreach ( array( 'wp_trash_post', 'untrashed_post', 'before_delete_post' ) as $docent_hook ) {
	add_action( $docent_hook, function ( $id ) {
		if ( 'product' === get_post_type( $id ) ) {
			docent_note_change( (int) $id );
		}
	} );
}

/**
 * One row an id, so that two changes at once do not overwrite each other, with another value for each change. Written and
 * removed in one statement each, past the cache of options, since changes are made while a sync runs.
 */
function docent_note_change( $id ) {
	global $wpdb;
	if ( '' === docent_settings()['sync_key'] ) {
		return;
	}
	$wpdb->query( $wpdb->prepare(
		"INSERT INTO {$wpdb->options} (option_name, option_value, autoload) VALUES (%s, %s, 'no') ON DUPLICATE KEY UPDATE option_value = VALUES(option_value)",
		'docent_changed_' . $id,
		wp_generate_uuid4()
	) );
	if ( ! wp_next_scheduled( 'docent_sync_changed' ) ) {
		wp_schedule_single_event( time() + MINUTE_IN_SECONDS, 'docent_sync_changed' );
	}
}

add_action( 'docent_sync_changed', function () {
	global $wpdb;
	// While WooCommerce is off, changes stay noted.
	if ( ! function_exists( 'wc_get_product' ) || '' === docent_settings()['sync_key'] ) {
		return;
	}
	$changes = $wpdb->get_results( "SELECT option_name, option_value FROM {$wpdb->options} WHERE option_name LIKE 'docent\\_changed\\_%' LIMIT " . DOCENT_PAGE_SIZE );
	if ( ! $changes ) {
		return;
	}
	$items  = array();
	$delete = array();
	foreach ( $changes as $change ) {
		$id      = (int) substr( $change->option_name, strlen( 'docent_changed_' ) );
		$product = wc_get_product( $id );
		if ( $product && docent_is_public( $product ) ) {
			$items[] = docent_item( $product );
		} else {
			$delete[] = (string) $id;
		}
	}
	$sent = docent_send( array( 'products' => $items, 'delete' => $delete ) );
	// What could not be sent, or has changed again meanwhile, stays noted for the next try.
	if ( $sent ) {
		foreach ( $changes as $change ) {
			$wpdb->delete( $wpdb->options, (array) $change );
		}
	}
	if ( ! $sent || count( $changes ) === DOCENT_PAGE_SIZE ) {
		wp_schedule_single_event( time() + ( $sent ? 5 : 10 * MINUTE_IN_SECONDS ), 'docent_sync_changed' );
	}
} );

/** What every visitor of the shop can see. */
function docent_is_public( $product ) {
	return 'publish' === $product->get_status() && '' === $product->get_post_password() && 'hidden' !== $product->get_catalog_visibility();
}

add_action( 'docent_sync_all', 'docent_sync_all' );

/** Page by page; what is gone from the shop is removed only when the last page has arrived. */
function docent_sync_all() {
	if ( ! function_exists( 'wc_get_products' ) || '' === docent_settings()['sync_key'] ) {
		return;
	}
	$sync_id = 'wordpress-' . gmdate( 'Ymd-His' ) . '-' . wp_generate_password( 6, false );
	$page    = 1;
	$count   = 0;
	do {
		$found = wc_get_products( array(
			'status'   => 'publish',
			'limit'    => DOCENT_PAGE_SIZE,
			'page'     => $page,
			'orderby'  => 'ID',
			'order'    => 'ASC',
			'paginate' => true,
		) );
		$final = $page >= $found->max_num_pages;
		$items = array_map( 'docent_item', array_values( array_filter( $found->products, 'docent_is_public' ) ) );
		$count += count( $items );
		$body  = array(
			'products'      => $items,
			'mode'          => 'replace',
			'sync_id'       => $sync_id,
			'final'         => $final,
			'confirm_empty' => $final && 0 === $count,
		);
		if ( ! docent_send( $body ) ) {
			return;
		}
		++$page;
	} while ( ! $final );
}

add_action( 'admin_post_docent_sync', function () {
	check_admin_referer( 'docent_sync' );
	if ( ! current_user_can( 'manage_options' ) ) {
		wp_die( 'You may not do this.', '', array( 'response' => 403 ) );
	}
	docent_sync_all();
	wp_safe_redirect( admin_url( 'options-general.php?page=docent' ) );
	exit;
} );

/** In the names that Docent reads; prices as text, so that no digit is lost. */
function docent_item( $product ) {
	$image = wp_get_attachment_image_url( $product->get_image_id(), 'woocommerce_single' );
	$item  = array(
		'id'           => (string) $product->get_id(),
		'title'        => $product->get_name(),
		'description'  => wp_strip_all_tags( $product->get_short_description() . "\n" . $product->get_description() ),
		'link'         => $product->get_permalink(),
		'image_link'   => $image ? $image : null,
		'price'        => $product->get_regular_price() ? $product->get_regular_price() : $product->get_price(),
		'sale_price'   => $product->is_on_sale() ? $product->get_sale_price() : null,
		'currency'     => get_woocommerce_currency(),
		'availability' => docent_availability( $product->get_stock_status() ),
		'product_type' => implode( ' > ', wp_get_post_terms( $product->get_id(), 'product_cat', array( 'fields' => 'names' ) ) ),
		'rating'       => (float) $product->get_average_rating() > 0 ? $product->get_average_rating() : null,
		'attributes'   => docent_attributes( $product ),
	);
	return array_filter( $item, function ( $value ) {
		return null !== $value && '' !== $value && array() !== $value;
	} );
}

function docent_availability( $status ) {
	$known = array( 'instock' => 'in_stock', 'outofstock' => 'out_of_stock', 'onbackorder' => 'backorder' );
	return isset( $known[ $status ] ) ? $known[ $status ] : null;
}

function docent_attributes( $product ) {
	$attributes = array();
	foreach ( $product->get_attributes() as $attribute ) {
		if ( is_object( $attribute ) && $attribute->get_visible() ) {
			$values = $attribute->is_taxonomy() ? wc_get_product_terms( $product->get_id(), $attribute->get_name(), array( 'fields' => 'names' ) ) : $attribute->get_options();
			$attributes[ wc_attribute_label( $attribute->get_name() ) ] = implode( ', ', $values );
		}
	}
	foreach ( array( 'weight' => $product->get_weight(), 'length' => $product->get_length(), 'width' => $product->get_width(), 'height' => $product->get_height() ) as $name => $value ) {
		if ( '' !== $value && null !== $value ) {
			$attributes[ $name ] = $value . ' ' . get_option( 'weight' === $name ? 'woocommerce_weight_unit' : 'woocommerce_dimension_unit' );
		}
	}
	return $attributes;
}

/** True when the server took it; what it said is shown on the settings page. */
function docent_send( $body ) {
	$settings = docent_settings();
	$answer   = wp_remote_post( $settings['server'] . '/api/v1/chat/sync-products', array(
		'timeout'     => 60,
		// The key goes to no other server.
		'redirection' => 0,
		'headers'     => array( 'Content-Type' => 'application/json', 'X-Service-Key' => $settings['sync_key'] ),
		'body'        => wp_json_encode( $body ),
	) );
	$now = current_time( 'mysql' );
	if ( is_wp_error( $answer ) ) {
		update_option( 'docent_last_sync', array( 'text' => $now . ': the server was not reached (' . $answer->get_error_message() . ').' ), false );
		return false;
	}
	$status = (int) wp_remote_retrieve_response_code( $answer );
	$report = json_decode( wp_remote_retrieve_body( $answer ), true );
	if ( 200 !== $status ) {
		$moved  = $status >= 300 && $status < 400 ? ', a redirect: enter the address that it leads to' : '';
		$reason = isset( $report['error']['message'] ) ? $report['error']['message'] : 'HTTP ' . $status . $moved;
		update_option( 'docent_last_sync', array( 'text' => $now . ': ' . $reason ), false );
		return false;
	}
	$text = sprintf( '%s: %d sent, %d new, %d changed, %d removed, %d refused.', $now, $report['received'], $report['created'], $report['updated'], $report['deleted'], $report['failed'] );
	update_option( 'docent_last_sync', array( 'text' => $text ), false );
	return true;
}
