<?php
// The widget's script tag, on every page of the site.

if ( ! defined( 'ABSPATH' ) ) {
	exit;
}

add_action( 'wp_enqueue_scripts', function () {
	$settings = docent_settings();
	if ( '' === $settings['server'] || '' === $settings['bot'] ) {
		return;
	}
	// The server names the version of its script; a number of ours would only defeat caches.
	wp_enqueue_script( 'docent-widget', $settings['server'] . '/widget.js', array(), null, array( 'in_footer' => true, 'strategy' => 'async' ) );
} );

add_filter( 'script_loader_tag', function ( $tag, $handle ) {
	if ( 'docent-widget' !== $handle ) {
		return $tag;
	}
	return str_replace( ' src=', ' data-bot="' . esc_attr( docent_settings()['bot'] ) . '" src=', $tag );
}, 10, 2 );
